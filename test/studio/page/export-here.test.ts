import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { completed } from './shell-page.ts';
import { type ProjectOnDisk, StudioPage } from './studio-page.ts';

/** The smallest that a browser encodes well. */
const PRESETS = [
  { name: 'preset_one', width: 320, height: 180, aliases: ['landscape'] },
  { name: 'preset_two', width: 180, height: 320, aliases: ['portrait'] },
  { name: 'preset_three', width: 180, height: 180, aliases: ['square'] },
];

/** Three seconds of a template whose fields all have defaults. */
const TEMPLATE: ProjectOnDisk & { readonly fields: object } = {
  fields: { what: { type: 'text', default: 'snack' } },
  tier_list: {
    title: 'Snacks',
    rows: [{ id: 'S', item_ids: ['pretzel'] }],
    items: [{ id: 'pretzel', name: 'A {{what}}' }],
  },
  timeline_data: { tier_blocks: [{ start: 0, duration: 3 }], tier_tiles: [{ tier_item_id: 'pretzel', position: 1 }] },
  settings: { fps: 10 },
  files: {},
};

describe('exports on this device beside other work', { skip: noBrowser, timeout: 280_000 }, () => {
  let service: ServiceFixture;
  let browser: Browser;

  before(async () => {
    [service, browser] = await Promise.all([
      ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS), TIERCUT_LOG_LEVEL: 'silent' }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  test('[R46] a template is rendered while its table shows a row', async () => {
    const { page, complaints } = await opened(TEMPLATE);
    await page.getByRole('button', { name: 'Open as a table' }).click();
    await page.locator('.tb-grid:focus').waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.type('soup');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await exportHere(page);
    await completed(page, download(page));
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('[R46] a video stays with its project until the tab is closed, and the tab asks before it loses one', async () => {
    const { page, complaints } = await opened(TEMPLATE);
    const left: string[] = [];
    page.on('dialog', async (dialog) => {
      left.push(dialog.type());
      await dialog.dismiss();
    });
    await exportHere(page);
    await completed(page, download(page));
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.pname').click();
    await page.getByRole('button', { name: 'New project' }).click();
    await page.locator('.first').waitFor();
    const asked = page.waitForEvent('dialog');
    await page.evaluate('void setTimeout(() => location.reload())');
    await asked;
    assert.deepEqual(left, ['beforeunload']);

    await page.getByRole('button', { name: 'All projects' }).click();
    await page.getByRole('button', { name: 'Open Snacks' }).click();
    await page.locator('.pname', { hasText: 'Snacks' }).waitFor();
    await page.keyboard.press('e');
    const saved = page.waitForEvent('download');
    await download(page).click();
    assert.ok((await readFile(await (await saved).path())).length > 1000);
    await page.getByRole('region', { name: 'Publish' }).locator('.thumbs img').first().waitFor();
    await page.reload();
    assert.deepEqual(left, ['beforeunload']);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  async function opened(project: ProjectOnDisk): Promise<StudioPage> {
    const studio = await StudioPage.open(browser, service.base);
    await studio.openProject(project);
    return studio;
  }
});

/** Exports in one format, on this device. */
async function exportHere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Formats and quality' }).click();
  await page.getByRole('radio', { name: 'On this device' }).click();
  for (const name of ['Portrait', 'Square']) await page.getByRole('checkbox', { name }).uncheck();
  await page.getByRole('button', { name: 'Export one format' }).click();
}

function download(page: Page) {
  return page.locator('.or.done').getByRole('link', { name: /Download/ });
}
