import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { loadStudio } from '../../../src/http/pages/studio-page.ts';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { axeFaults, completed, dropPictures, keptProject, openExample, openStudio, rowsOf } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  [browser, service] = await Promise.all([launchBrowser(), ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'silent' })]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test(
  'in the example a poster replaces the preview until it is drawn, and cards have pictures early',
  SLOW,
  async () => {
    await using context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
    const page = await context.newPage();
    // The drawing of the pictures is delayed.
    const free = Promise.withResolvers<void>();
    await context.route(/example-worker/, async (route) => {
      await free.promise;
      await route.continue();
    });
    await page.goto(`${service.base}/studio`);
    await openExample(page);
    // The large one, and one for each format.
    await page.locator('.pv-poster').nth(3).waitFor();
    const background = await page.evaluate("getComputedStyle(document.querySelector('.pv-poster')).backgroundImage");
    const image = await fetch(/url\("(.*)"\)/.exec(background as string)![1]!);
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/webp']);
    await page.locator('.pv-frame[data-frame]').waitFor();
    assert.equal(await page.locator('.pv-poster').count(), 4, 'a board without pictures is not shown');
    free.resolve();
    await page.locator('.tile img').nth(8).waitFor({ state: 'attached' });
    await page.locator('.pv-poster').first().waitFor({ state: 'detached' });
    await page.locator('.pv-frame[data-settled=true]').waitFor();
    await page.reload();
    await page.locator('.pv-frame[data-settled=true]').waitFor();
    assert.equal(await page.locator('.pv-poster').count(), 0, 'what is in the browser is not covered');

    // A menu whose content loads while it is open stays on the screen, and a key gets to its first choice.
    const loaded = Promise.withResolvers<void>();
    const lateParts = (await loadStudio()).entries['late-parts']!;
    await context.route(`**/${lateParts}`, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole('button', { name: 'Formats and quality' }).press('Enter');
    await page.locator('.menu:popover-open').waitFor({ state: 'attached' });
    loaded.resolve();
    await page.locator('.export-options :focus').waitFor();
    const { x, width } = await boxOf(page, '.menu:popover-open');
    assert.ok(x >= 0 && x + width <= 1920, `from ${x} to ${x + width}`);
  },
);

async function boxOf(page: Page, selector: string) {
  return (await page.locator(selector).first().boundingBox())!;
}

/** What a drag of an element's middle by so many pixels does. */
async function drag(page: Page, selector: string, by: { readonly x: number; readonly y: number }): Promise<void> {
  const { x, y, width, height } = await boxOf(page, selector);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (const share of [0.3, 0.7, 1]) {
    await page.mouse.move(x + width / 2 + by.x * share, y + height / 2 + by.y * share);
  }
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await page.mouse.up();
}

test(
  'rows have sets, reveals have orders, panes have sizes that are remembered; all by mouse and keys',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service, { reducedMotion: 'reduce' });
    const { page, faults } = studio;
    await dropPictures(page, 6);
    await page.locator('.pool .tile').nth(5).waitFor();
    await page.locator('#tile-picture_0').click();
    for (const key of '123456') await page.keyboard.press(key);
    await page.locator('.brow:nth-child(6) .tile').waitFor();
    const ranked = await keptProject(page);

    // Rows.
    await page.getByRole('button', { name: 'Rows: choose a set' }).click();
    await page.getByRole('button', { name: 'Good and bad' }).click();
    await page.getByText('4 items are no longer ranked').waitFor();
    assert.deepEqual(await rowsOf(page), [
      ['Picture 0'],
      ['Picture 1'],
      ['Picture 2', 'Picture 3', 'Picture 4', 'Picture 5'],
    ]);
    await page.keyboard.press('Control+z');
    assert.deepEqual((await keptProject(page)).tier_list, ranked.tier_list, 'one step');

    // The order of the reveals.
    const order = () => page.locator('.order-line b').allTextContents();
    await page.keyboard.press('o');
    await page.locator('.order-line').nth(5).waitFor();
    assert.equal((await order())[0], 'Picture 5', 'worst first');
    await page.getByRole('button', { name: 'Best first' }).click();
    assert.equal((await order())[0], 'Picture 0');
    await page.locator('.order-line').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('Picture 0, place 2 of 6.').waitFor({ state: 'attached' });
    await page.keyboard.press('Alt+ArrowDown');
    assert.deepEqual((await order()).slice(0, 3), ['Picture 1', 'Picture 2', 'Picture 0'], 'the focus goes along');
    await drag(page, '[data-item=picture_5].order-line', { x: 0, y: -400 });
    assert.deepEqual((await order()).slice(0, 2), ['Picture 5', 'Picture 1']);
    assert.deepEqual(await axeFaults(page), [], 'order');
    await page.keyboard.press('Control+z');
    assert.equal((await order())[0], 'Picture 1', 'a drag is one step');
    await page.keyboard.press('Escape');
    const timed = (await keptProject(page)).timeline_data.tier_tiles.toSorted((a, b) => a.position - b.position);
    assert.deepEqual(
      timed.slice(0, 3).map((tile) => tile.tier_item_id),
      ['picture_1', 'picture_2', 'picture_0'],
    );
    assert.deepEqual(
      timed.map(({ position }) => position),
      ranked.timeline_data.tier_tiles.map(({ position }) => position),
      'times stay',
    );

    // Panes.
    const width = async (selector: string) => Math.round((await boxOf(page, selector)).width);
    await page.keyboard.press('p');
    const before = { bin: await width('.bin'), preview: await width('.pv-frame') };
    await drag(page, '.splitter[data-pane=media]', { x: 60, y: 0 });
    assert.equal(await width('.bin'), before.bin + 60);
    const details = page.getByRole('separator', { name: 'Width of the details' });
    await details.focus();
    const was = await width('.insp');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await width('.insp'), was + 16);
    const low = (await boxOf(page, '.tl-grid')).height;
    await drag(page, '.splitter[data-pane=timeline]', { x: 0, y: -50 });
    assert.equal(Math.round((await boxOf(page, '.tl-grid')).height - low), 50);
    await page.reload();
    await page.locator('.pv-frame').waitFor();
    assert.equal(await width('.bin'), before.bin + 60, 'remembered');
    await page.locator('.splitter[data-pane=media]').dblclick();
    await page.locator('.splitter[data-pane=timeline]').dblclick();
    await details.focus();
    await page.keyboard.press('Enter');
    assert.deepEqual([await width('.bin'), await width('.insp')], [before.bin, was]);

    // A larger window has a larger preview, and a larger one still without the board.
    await page.setViewportSize({ width: 1920, height: 1080 });
    const beside = await width('.pv-frame');
    assert.ok(beside > before.preview, `${beside} px at 1920, ${before.preview} px at 1440`);
    const board = page.getByRole('separator', { name: 'Width of the board' });
    await board.focus();
    const share = await width('.board');
    await page.keyboard.press('ArrowLeft');
    assert.ok((await width('.board')) < share);
    assert.deepEqual(await axeFaults(page), [], 'wide');
    await page.getByRole('radio', { name: 'Preview', exact: true }).click();
    assert.equal(await page.locator('.board').isVisible(), false);
    assert.ok((await width('.pv-frame')) > beside);
    await page.keyboard.press('b');
    await page.locator('.board').waitFor();

    // Details for developers are shown on request.
    await page.getByRole('button', { name: 'Video settings' }).first().click();
    const units = page.locator('.insp summary', { hasText: /^(As JSON|Units)$/ });
    await page.locator('.insp .fld').getByLabel('Main format').waitFor();
    assert.equal(await units.count(), 0);
    await page.locator('.pname').click();
    await page.getByLabel('Developer tools').check();
    await page.keyboard.press('Escape');
    assert.equal(await units.count(), 2);

    // The usual rows are all in sight, with and without pictures that wait.
    await page.setViewportSize({ width: 1024, height: 768 });
    const isAllSeen = () =>
      page.evaluate(
        "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('.board-rows'))",
      );
    assert.equal(await isAllSeen(), true, 'all ranked');
    await page.locator('#tile-picture_0').click();
    await page.keyboard.press('0');
    await page.locator('.pool .tile').waitFor();
    assert.equal(await isAllSeen(), true, 'one waits');

    // Formats and quality before an export; the one click remembers them.
    await page.getByRole('button', { name: 'Formats and quality' }).click();
    for (const name of ['Portrait', 'Square']) await page.locator('.export-options').getByLabel(name).uncheck();
    assert.equal(await page.locator('.export-options').getByLabel('Landscape').isDisabled(), true, 'one stays');
    await page.getByRole('radio', { name: 'Draft' }).click();
    assert.deepEqual(await axeFaults(page), [], 'formats');
    await page.getByRole('button', { name: 'Export one format' }).click();
    await completed(page, page.getByText('The format is ready.'));
    assert.deepEqual(await page.locator('.outs .oh b').allTextContents(), ['Landscape']);
    await page.getByRole('button', { name: 'Copy curl' }).waitFor();
    await page.reload();
    await page.locator('.top .prim').first().click();
    await page.getByText('The format is ready.').waitFor();
    assert.equal((await keptProject(page)).settings.quality, 'draft');
    assert.deepEqual(faults, []);
  },
);
