import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser as skip } from '../browser/chromium.ts';
import { seen } from './export-client.ts';
import { CLIP, TIMELINE } from './sample-request.ts';
import { ServiceFixture } from './service-fixture.ts';

async function open(browser: Browser, url: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(url);
  return { page, complaints };
}

/** What the player on a page knows of its video, once it knows it. */
async function playerOf(page: Page): Promise<unknown> {
  await page.locator('video').waitFor({ timeout: 60_000 });
  return seen('the video', () =>
    page.evaluate(`(() => {
      const { readyState, videoWidth: width, videoHeight: height, duration: seconds, error } = document.querySelector('video');
      return readyState < 1 && error === null ? null : { width, height, seconds: Math.round(seconds * 1000) / 1000, fault: error?.code ?? 0 };
    })()`),
  );
}

test('[C26] in a browser, by keyboard alone: the example is sent, followed live, and the video plays', {
  skip,
}, async () => {
  await using service = await ServiceFixture.start();
  await using browser = await launchBrowser();
  const { page, complaints } = await open(browser, `${service.base}/form`);
  const focused = () => page.evaluate(`document.activeElement?.textContent?.trim() ?? ''`);
  for (let presses = 0; (await focused()) !== 'Make the video'; presses += 1) {
    assert.ok(presses < 40, 'the button is reached by Tab');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/video/exports/*');
  assert.deepEqual(await playerOf(page), { width: 128, height: 72, seconds: 10, fault: 0 });
  for (const preset of ['preset_one', 'preset_two', 'preset_three']) {
    const link = page.locator(`tr[data-preset=${preset}]`).getByRole('link', { name: 'Download', exact: true });
    await link.waitFor({ timeout: 60_000 });
  }
  await page.getByText('0:07 Chips').waitFor();
  assert.deepEqual(complaints, []);
});

test('[C26] in a browser: files and JSON of one’s own become a video', { skip }, async () => {
  await using service = await ServiceFixture.start();
  await using browser = await launchBrowser();
  const { page, complaints } = await open(browser, `${service.base}/form`);
  const json = (name: string, value: object) => {
    return { name: `${name}.json`, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(value)) };
  };
  await page
    .getByLabel('Media and JSON files')
    .setInputFiles([
      json('tier_list', { title: 'Mine', rows: [{ id: 'S', item_ids: ['one'] }], items: [{ id: 'one', name: 'One' }] }),
      json('timeline_data', TIMELINE),
      json('settings', { preset: 'square' }),
    ]);
  await seen('the settings', async () => (await page.getByLabel('Settings').inputValue()).includes('square'));
  await page.getByLabel('Media and JSON files').setInputFiles(CLIP.file);
  await page.getByRole('button', { name: 'Remove' }).waitFor();
  await page.getByRole('button', { name: 'Only check it' }).click();
  await page
    .locator('#result .bad')
    .getByText('No file was uploaded under the form field "clip"')
    .waitFor({ timeout: 60_000 });
  complaints.length = 0;
  const field = CLIP.file
    .split('/')
    .at(-1)!
    .replace(/\.mp4$/, '');
  const timeline = { ...TIMELINE, videos: [{ ...TIMELINE.videos[0], file_field: field }] };
  await page.getByLabel('Timeline').fill(JSON.stringify(timeline));
  await page.getByRole('button', { name: 'Make the video' }).click();
  await page.waitForURL('**/video/exports/*');
  assert.deepEqual(await playerOf(page), { width: 96, height: 96, seconds: 3, fault: 0 });
  assert.equal(await page.locator('h1').textContent(), 'Mine.mp4');
  assert.deepEqual(complaints, []);
});
