import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { Fingers } from './fingers.ts';
import { askForProject, completed, dropPictures, openStudio, rowsOf } from './shell-page.ts';

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

/** Keys that come faster than the page is drawn. */
async function pressAtOnce(page: Page, keys: string): Promise<void> {
  await page.evaluate(`for (const key of '${keys}')
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`);
}

test('help texts move no control: a checkbox is in the same place at mouse up', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await dropPictures(page, 1);
  await page.locator('.pool .tile').waitFor();
  await page.getByRole('button', { name: 'Video settings' }).first().click();
  // Each theme is recognized by its picture: by the rows too, where the grounds are both dark.
  await page.locator('.theme-look').first().waitFor();
  const looks: readonly string[] = await page.evaluate(`[...document.querySelectorAll('.theme-look i:first-child')]
    .map((row) => [getComputedStyle(row).backgroundImage, getComputedStyle(row).boxShadow].join())`);
  const wholes: readonly string[] = await page.evaluate(`[...document.querySelectorAll('.theme-look')]
    .map((look) => [look, ...look.querySelectorAll('*')].map((part) => {
      const { backgroundColor, backgroundImage, boxShadow, fontFamily, borderRadius } = getComputedStyle(part);
      return [backgroundColor, backgroundImage, boxShadow, fontFamily, borderRadius].join();
    }).join())`);
  assert.equal(new Set(wholes).size, wholes.length, wholes.join('\n'));
  assert.equal(looks.filter((look) => look.endsWith('none')).length, looks.length - 1, 'one theme has rows that glow');
  for (const label of ['Counter', 'Progress bar', 'Shorts']) {
    const box = page.locator('.insp .fld').getByLabel(label, { exact: true });
    await box.scrollIntoViewIfNeeded();
    const was = await box.isChecked();
    const place = (await box.boundingBox())!;
    await page.mouse.move(place.x + 4, place.y + 4);
    await page.mouse.down();
    await page.locator('.insp .hint:visible').waitFor();
    assert.deepEqual(await box.boundingBox(), place, `${label} has moved`);
    await page.mouse.up();
    assert.equal(await box.isChecked(), !was, label);
  }
});

test('fast number keys rank one item each; a half-ranked project opens on its board', SLOW, async () => {
  await using studio = await openStudio(browser, service);
  const { page } = studio;
  await dropPictures(page, 6);
  await page.locator('.pool .tile').nth(5).waitFor();
  await page.getByRole('button', { name: 'Tap to reveal' }).click();
  await page.getByText('There is nothing to reveal yet').waitFor();
  await page.locator('#tile-picture_0').click();
  await pressAtOnce(page, '1212');
  await page.locator('.pool .tile').nth(2).waitFor({ state: 'detached' });
  const [first, second, ...rest] = await rowsOf(page);
  assert.deepEqual(
    [first, second],
    [
      ['Picture 0', 'Picture 2'],
      ['Picture 1', 'Picture 3'],
    ],
  );
  assert.deepEqual(rest.at(-1), ['Picture 4', 'Picture 5']);

  // Stepping through the items keeps the focus on what steps.
  const next = page.getByRole('button', { name: 'Next item' });
  await next.click();
  assert.equal(await page.evaluate(`document.activeElement.getAttribute('aria-label')`), 'Next item');

  await page.getByRole('radio', { name: 'Preview' }).click();
  await page
    .locator('.saved', { hasText: /^Saved$/ })
    .first()
    .waitFor();
  await page.reload();
  await page.locator('.centre[data-face=board]').waitFor();

  const choosing = await askForProject(page);
  const pdf = { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await choosing.setFiles(pdf);
  await page.getByText('letter.pdf is not a project.').waitFor();

  // Names that are pasted are items, all of them one step.
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'Tea\\nMilk');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await page.locator('.pool #tile-milk').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.locator('#tile-tea').waitFor({ state: 'detached' });
});

test('on a phone no row moves when a drag starts, with everything ranked', SLOW, async () => {
  await using studio = await openStudio(browser, service, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = studio;
  await dropPictures(page, 2);
  await page.locator('.pool .tile').nth(1).waitFor();
  await page.locator('#tile-picture_0').focus();
  await pressAtOnce(page, '12');
  await page.locator('.centre[data-waits=false]').waitFor();
  const tile = page.locator('#tile-picture_1');
  await tile.scrollIntoViewIfNeeded();
  const { x, y } = (await tile.boundingBox())!;
  const tops = `[...document.querySelectorAll('.brow')].map((row) => row.getBoundingClientRect().top)`;
  const before = await page.evaluate(tops);
  await page.evaluate(`new MutationObserver((_, watching) => {
    if (document.querySelector('.ghost') === null) return;
    globalThis.topsInAir = ${tops};
    watching.disconnect();
  }).observe(document.body, { childList: true, subtree: true })`);
  const fingers = await Fingers.of(page);
  await fingers.drag([x + 20, y + 20, x + 30, y + 24], 'hold');
  assert.deepEqual(await page.evaluate('topsInAir'), before);
});

test(
  '[C29] one format can be stopped alone, Stop keeps finished ones, and one button makes the rest',
  SLOW,
  async () => {
    await using studio = await openStudio(browser, service);
    const { page } = studio;
    await dropPictures(page, 24);
    await page.locator('.pool .tile').nth(23).waitFor();
    await page.locator('#tile-picture_0').click();
    await pressAtOnce(page, '1'.repeat(24));
    await page.locator('.top').getByRole('button', { name: 'Export' }).click();
    const stop = page.getByRole('button', { name: 'Stop Portrait' });
    await completed(page, stop);
    await stop.click();
    await page.locator('.or[data-preset=preset_two] .os', { hasText: 'Stopped' }).waitFor();
    await completed(page, page.locator('.or.done[data-preset=preset_one]'));
    const all = page.getByRole('button', { name: 'Stop all' });
    if (await all.isVisible()) await all.click().catch(() => null);
    await completed(page, page.getByRole('button', { name: 'Export all three formats' }));
    assert.equal(await page.getByRole('button', { name: /^Export all/ }).count(), 1);
    await page.getByText(/^(One|Two) of the three formats (is|are) ready/).waitFor();
    await page.locator('.or[data-preset=preset_one] a', { hasText: 'Download' }).waitFor();
    // It is there after a reload too.
    await page.reload();
    await page.locator('.top').getByRole('button', { name: 'Export' }).click();
    await page.locator('.or.done[data-preset=preset_one]').waitFor();
  },
);
