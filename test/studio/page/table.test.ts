import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readZip } from '../../../src/archive/zip-file.ts';
import * as zipTexts from '../../../src/studio/texts/en/zip-file.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, completed, openStudio } from './shell-page.ts';

/** Five videos, as a spreadsheet copies them. The week of the second one is wrong, and three have no items. */
const ROWS = [
  'monday\tEvery breakfast, ranked\t12\t\t\t"Egg | S\nToast | A"',
  'tuesday\tEvery sandwich, ranked\t13,5\t\t\tClub | S',
  ...['wednesday', 'thursday', 'friday'].map((day) => `${day}\tEvery soup, ranked\t14`),
].join('\r\n');

test('[C83, C85] rows are pasted, an error is mended, the row is previewed, and all that are right are exported', {
  skip: noBrowser,
  timeout: 280_000,
}, async () => {
  await using service = await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'silent' });
  const browser = await launchBrowser();
  try {
    await using studio = await openStudio(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, faults } = studio;
    await page.locator('.visit-card', { hasText: 'A weekly ranking' }).click();
    await page.getByRole('button', { name: 'Open as a table' }).click();
    await page.locator('.tb-grid:focus').waitFor();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(ROWS)})`);
    await page.keyboard.press('Control+v');
    const cell = (row: number, column: number) => page.locator(`#cell-${row}-${column}`);
    await cell(4, 0).getByText('friday').waitFor();
    const wrong = page.locator('[aria-invalid="true"]');
    assert.equal(await wrong.count(), 4);
    assert.match((await cell(1, 2).getAttribute('title'))!, /point as decimal sign, not a comma: "13,5"/);
    assert.deepEqual(await axeFaults(page), []);

    // By keys alone: the wrong number is mended, and the preview shows the row.
    await page.keyboard.press('Control+Home');
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'F2', 'Control+a']) await page.keyboard.press(key);
    await page.keyboard.type('13');
    await page.keyboard.press('Enter');
    await cell(1, 2).filter({ hasText: /^13$/ }).waitFor();
    assert.equal(await wrong.count(), 3);
    assert.equal(await page.locator('.tb-grid').getAttribute('aria-activedescendant'), 'cell-2-2');
    await page.keyboard.press('Control+z');
    await cell(1, 2).filter({ hasText: /^13,5/ }).waitFor();
    await page.keyboard.press('Control+Shift+z');
    await cell(1, 2).filter({ hasText: /^13$/ }).waitFor();

    // The page is left while the batch is sent; opened again, it repeats the same request.
    const sent: (readonly [key: string | undefined, body: string | null])[] = [];
    const held = Promise.withResolvers<void>();
    await page.route('**/batches', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      sent.push([request.headers()['idempotency-key'], request.postData()]);
      if (sent.length > 1) return route.continue();
      held.resolve();
    });
    await page.getByRole('button', { name: 'Export 2 videos' }).click();
    await held.promise;
    await page.getByRole('button', { name: 'Back to the template' }).click();
    await page.getByRole('button', { name: 'Open as a table' }).click();
    await page.getByRole('heading', { name: 'Sending files and rows' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open as a table' }).click();
    await page.getByRole('button', { name: 'Last export' }).click();
    await completed(page, page.getByRole('heading', { name: '2 of 2 videos are ready' }));
    assert.deepEqual(await page.locator('.tb-made b').allTextContents(), ['monday', 'tuesday']);
    assert.deepEqual(await axeFaults(page), []);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1], sent[0]);

    const packed = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all (.zip)' }).click();
    const archive = new Blob([await readFile(await (await packed).path())]);
    assert.deepEqual([...(await readZip(archive, zipTexts)).keys()].sort(), ['monday.mp4', 'tuesday.mp4']);

    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Results as CSV' }).click();
    const results = await readFile(await (await saved).path(), 'utf8');
    assert.match(results, /Every sandwich, ranked.*,completed,[0-9a-f-]{36},/);

    // Only what has changed is exported again.
    await page.getByRole('button', { name: 'Back to the table' }).click();
    await page.getByLabel('Rows to export').selectOption('changed');
    await page.getByRole('button', { name: 'Export 0 videos' }).waitFor();
    await cell(0, 1).dblclick();
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Export 1 video', exact: true }).waitFor();
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});
