import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser, noBrowser } from '../../browser/chromium.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { Fingers } from './fingers.ts';
import { axeFaults, dropPictures, keptProject, openStudio, rowsOf } from './shell-page.ts';

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

/** For a timeline without zoom. */
const PX_PER_SECOND = 24;

/** Controls that are too small for a finger. Handles on the canvas are larger than they are drawn. */
const SMALL = `[...document.querySelectorAll('button, select, input, textarea, a[href], summary')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.closest('.skip, .tl-list, .pv-canvas') === null)
  .map((each) => [each.getAttribute('aria-label') ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && (width < 44 || height < 44))
  .map(([name, { width, height }]) => name + ' ' + width + ' x ' + height)`;

/** Controls that the edge of the screen cuts. */
const CUT = `[...document.querySelectorAll('button, select')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.closest('.skip, .tl-list, .pv-canvas') === null)
  .map((each) => [each.getAttribute('aria-label') ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, { left, right }]) => left < 0 || right > innerWidth)
  .map(([name]) => name)`;

test('on a phone taps do everything: ranking, time, subtitles, recording', SLOW, async () => {
  await using studio = await openStudio(browser, service, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page, faults } = studio;
  await dropPictures(page, 4, 'picture_', 2_000_000);
  await page.locator('.pool .tile').nth(3).waitFor();

  // A card, then a row; the next that waits is chosen by itself.
  await page.locator('#tile-picture_0').tap();
  for (const row of ['s', 'a', 'b', 'c']) {
    await page.locator(`[data-row=${row}] .cells`).tap({ position: { x: 200, y: 30 } });
  }
  const ranked = (await rowsOf(page)).slice(0, 4);
  assert.deepEqual(ranked, [['Picture 0'], ['Picture 1'], ['Picture 2'], ['Picture 3']]);

  await page.getByRole('button', { name: 'Timeline', exact: true }).tap();
  const lane = page.getByRole('combobox', { name: 'Lane' });
  assert.equal(await lane.inputValue(), 'tier_tiles');
  await page.locator('.tl-list').getByText('Picture 3').first().waitFor({ state: 'attached' });

  // A finger along the seek bar moves the playhead, and does not navigate back.
  const fingers = await Fingers.of(page);
  const bar = (await page.getByRole('slider', { name: 'Position' }).boundingBox())!;
  const middle = bar.y + bar.height / 2;
  await fingers.drag([bar.x + 6, middle, bar.x + bar.width / 2, middle]);
  await page.locator('.pv-time', { hasText: /^0:0[89]/ }).waitFor();

  // A subtitle: written, then moved by a finger that rests on it.
  await page.locator('.tl-tools').getByRole('button', { name: 'Add' }).tap();
  await page.getByRole('button', { name: 'Subtitle at the playhead' }).tap();
  await page.locator('.insp [data-field=text] textarea').fill('Here it comes');
  // The drawer is at the right edge, from the top bar down.
  const details = (await page.locator('.insp').boundingBox())!;
  assert.deepEqual([details.x + details.width, details.y, details.y + details.height], [390, 56, 844]);
  await page.locator('.scrim').tap({ position: { x: 10, y: 300 } });
  assert.equal(await lane.inputValue(), 'subtitles');
  const { start, duration } = (await keptProject(page)).timeline_data.subtitles[0]!;
  const canvas = (await page.locator('.tl-canvas').boundingBox())!;
  const x = canvas.x + (start + duration / 2) * PX_PER_SECOND;
  const y = canvas.y + canvas.height / 2 + 13;
  await fingers.drag([x, y, x - 100, y], 'hold');
  const [moved] = (await keptProject(page)).timeline_data.subtitles;
  assert.ok(moved!.start < start - 2, `${moved!.start} after ${start}`);
  assert.equal(moved!.text, 'Here it comes');
  // The lane that is shown has its switches beside its name.
  const locking = page.getByRole('button', { name: 'Lock subtitles' });
  await locking.tap();
  assert.deepEqual((await keptProject(page)).studio.lanes, { subtitles: { locked: true } });
  await locking.tap();
  await lane.selectOption('videos');
  await page.getByRole('button', { name: 'Mute clips' }).waitFor();
  assert.deepEqual(await page.evaluate(CUT), []);
  assert.deepEqual(await page.evaluate(SMALL), []);
  await lane.selectOption('subtitles');

  await page.getByRole('button', { name: 'Go to the start' }).tap();
  await page.getByRole('button', { name: 'Tap to reveal' }).tap();
  await page.getByRole('button', { name: /^Next/ }).tap();
  await page.getByRole('button', { name: /^Next/ }).tap();
  await page.getByRole('button', { name: 'Done' }).tap();
  await page.locator('.top').getByRole('button', { name: 'Undo' }).waitFor();

  // The formats of the next export are chosen beside its button.
  await page.locator('.pbar').getByRole('button', { name: 'Formats and quality' }).tap();
  const options = page.locator('.pbar .export-options');
  await options.getByLabel('Square').tap();
  await options.getByRole('button', { name: 'Export two formats' }).waitFor();
  assert.deepEqual(await page.evaluate(CUT), []);
  await options.getByLabel('Square').tap();
  await options.getByRole('button', { name: 'Export all three formats' }).waitFor();
  await page.keyboard.press('Escape');

  assert.deepEqual(await page.evaluate(SMALL), []);
  assert.deepEqual(await axeFaults(page), []);

  // With a camera there are layouts.
  const { media, studio: known, timeline_data, ...rest } = await keptProject(page);
  const cam = {
    ...known.media.picture_0!,
    kind: 'video',
    duration: 5,
    bytes: 1,
    hash: 'f'.repeat(64),
    name: 'cam.mp4',
  };
  const filmed = {
    ...rest,
    timeline_data: { ...timeline_data, videos: [{ id: 'cam', file_field: 'cam', start: 0, duration: 5 }] },
    media: { ...media, cam: 'media/cam.mp4' },
    studio: { ...known, media: { ...known.media, cam } },
  };
  const choosing = page.waitForEvent('filechooser');
  await page.locator('.pname').tap();
  await page.getByRole('button', { name: 'Open a project file' }).tap();
  const buffer = Buffer.from(JSON.stringify(filmed));
  await (await choosing).setFiles({ name: 'project.json', mimeType: 'application/json', buffer });
  await page.getByRole('button', { name: /^Layout/ }).tap();
  await page.getByRole('radio', { name: 'Cam left' }).tap();
  await page.getByRole('button', { name: 'Layout: Cam left' }).waitFor();
  await page.keyboard.press('Escape');

  // A fault in one panel does not affect the others. Only that panel shows the size of the large file, just over 2 MB.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(`globalThis.plain = Number.prototype.toFixed;
    Number.prototype.toFixed = function (...by) {
      if (this > 2 && this < 2.01) throw new Error('a fault on purpose');
      return plain.apply(this, by);
    }`);
  await dropPictures(page, 1, 'more_');
  const fault = page.locator('.bin.panel-fault');
  await fault.getByRole('alert').waitFor();
  await page.locator('.pool #tile-more_0').waitFor();
  await page.evaluate('Number.prototype.toFixed = plain');
  await fault.getByRole('button', { name: 'Reload panel' }).click();
  await page.locator('.bin').getByText('Pictures').first().waitFor();
  await fault.waitFor({ state: 'detached' });
  assert.deepEqual(faults, ['Error: a fault on purpose']);
});
