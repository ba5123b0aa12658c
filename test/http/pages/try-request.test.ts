import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, noBrowser as skip } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';

const KEY = 'a-key-of-the-reader';
const HOSTILE = '<img src=x onerror="document.title=1">';

test('[C31, H17] /docs/api: a reader edits a request, sends it and sees its frame; what it has stays text', {
  skip,
}, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_API_KEYS: `reader:${KEY}` });
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.goto(`${service.base}/docs/api#try=${encodeURIComponent(HOSTILE)}`);
  const title = await page.title();
  const [status, response] = [page.locator('#try output'), page.locator('#try > pre')];
  const body = page.getByLabel('Body');
  const example = JSON.parse(await body.inputValue());

  await page.getByRole('button', { name: 'Send' }).click();
  await status.getByText(/^401 /).waitFor();
  await page.getByLabel('API key').fill(KEY);
  await page.getByRole('button', { name: 'Show the frame' }).click();
  await status.getByText(/^200 .*, frame \d+ of \d+$/).waitFor();
  const picture = page.getByAltText('The frame of the request');
  await page.waitForFunction(`document.querySelector('#try img').naturalWidth > 0`);
  assert.equal(await picture.isVisible(), true);

  await body.fill(JSON.stringify({ ...example, settings: { theme: HOSTILE, fps: 1000 } }));
  await page.getByRole('button', { name: 'Send' }).click();
  await status.getByText(/^422 /).waitFor();
  await response.getByText(HOSTILE.slice(0, 10)).waitFor();
  assert.match((await response.textContent())!, /field\.range/);
  assert.equal(await response.locator('img').count(), 0);
  assert.equal(await picture.isVisible(), false);

  for (const [address, message] of [
    ['//elsewhere.example/limits', /a path of this service/],
    ['https://elsewhere.example', /a path of this service/],
    ['javascript:alert(1)', /a path of this service/],
    ['/video/exports/{export_id}', /Replace \{export_id\}/],
    ['/%', /URI malformed/],
  ] as const) {
    await page.getByLabel('Address').fill(address);
    await page.getByRole('button', { name: 'Send' }).click();
    await status.getByText(message).waitFor();
  }
  await body.fill('{"a": ');
  await page.getByRole('button', { name: 'Show the frame' }).click();
  await status.getByText(/The body is not JSON/).waitFor();

  const validate = page.locator('details#validateProjectValues, details[id^=validateExport]').first();
  await validate.locator('summary').click();
  await validate.getByRole('button', { name: 'Try it' }).click();
  assert.match(await page.getByLabel('Address').inputValue(), /\/validate$/);
  assert.equal(typeof JSON.parse(await body.inputValue()), 'object');

  await page.getByLabel('Method').selectOption('GET');
  await page.getByLabel('Address').fill('/limits');
  await page.getByRole('button', { name: 'Send' }).click();
  await status.getByText(/^200 /).waitFor();
  await page.waitForFunction(`document.querySelector('#try > pre').textContent.endsWith('\\n}')`);
  assert.equal(await page.title(), title);
  assert.deepEqual(complaints, []);
  assert.deepEqual(
    [...new Set(asked)].filter((origin) => origin !== service.base && origin !== 'null'),
    [],
  );
});
