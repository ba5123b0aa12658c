import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, launchKeeping, noBrowser } from '../../browser/chromium.ts';
import { eachFrame } from '../../engine/encode/render-video.ts';
import { decodedTrack } from '../../engine/sound/decoded-track.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { findBursts } from '../../fixtures/tone-bursts.ts';
import { descendantsOf } from '../../service/process-tree.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import { beepsOf, giveOwnTime, lastEvent, NUMBER_MS } from './own-time.ts';
import { axeFaults, dropPictures, keptProject, watchFaults } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
const FPS = 30;
const FRAME_MS = 1000 / FPS;
const PRESETS = [
  { name: 'preset_one', width: 640, height: 360, aliases: ['landscape'] },
  { name: 'preset_two', width: 72, height: 128, aliases: ['portrait'] },
  { name: 'preset_three', width: 96, height: 96, aliases: ['square'] },
];
/** Where the first layout puts the camera in the first preset. */
const CAM = { x: 0.674 * 640, y: 0.04 * 360, width: 0.304 * 640, height: 0.92 * 360 };
/** How old a picture is when it is first shown: frames come at whole numbers, and its own number is rounded down. */
const USUAL_AGE_MS = FRAME_MS / 2 + NUMBER_MS / 2;
const MOST_OFF_MS = 40;
/** The first request builds the page. */
const LOADING_MS = 120_000;
const FAKE_DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

let browser: Browser;
let service: ServiceFixture;

before(async () => {
  if (noBrowser) return;
  [browser, service] = await Promise.all([
    launchBrowser(
      '--autoplay-policy=no-user-gesture-required',
      '--use-fake-device-for-media-stream',
      '--deny-permission-prompts',
    ),
    ServiceFixture.start({ TIERCUT_PRESETS: JSON.stringify(PRESETS), TIERCUT_LOG_LEVEL: 'silent' }),
  ]);
});

after(async () => {
  await browser?.close();
  await service?.[Symbol.asyncDispose]();
});

test(
  'a take goes from Record to three downloads; picture, sound and verdicts are within 40 ms',
  SLOW,
  async (report) => {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    watchFaults(page, faults);
    await page.goto(`${service.base}/studio#new`, { timeout: LOADING_MS });
    await page.locator('.top').waitFor();
    await dropPictures(page, 4);
    await page.locator('.pool .tile').nth(3).waitFor();
    const empty = await keptProject(page);

    // There are devices, and this browser refuses them.
    await page.getByRole('button', { name: 'Record a take' }).first().click();
    await page.getByRole('alert').getByText('This page may not use the camera').waitFor();
    assert.ok(await page.locator('.tk-go').isDisabled());
    await page.keyboard.press('Escape');
    await page.locator('.take').waitFor({ state: 'detached' });

    await giveOwnTime(page);
    await page.reload();
    await page.locator('.pool .tile').nth(3).waitFor();
    let actions = 0;
    const acts = async <T>(action: Promise<T>): Promise<T> => {
      actions += 1;
      return action;
    };
    await acts(page.getByRole('button', { name: 'Record a take' }).first().click());
    await page.locator('.tk-go:enabled').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await acts(page.locator('.tk-go').click());
    await page.locator('.take[data-step=run]').waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await pass(700);

    const card = (number: number) => page.locator(`.tk-card[data-item=picture_${number}]`);
    const drops: number[] = [];
    for (const [number, key] of ['s', 'a'].entries()) {
      await acts(card(number).click());
      await pass(900);
      await acts(page.keyboard.press(key));
      drops.push(await lastEvent(page));
      await pass(1800);
    }
    // Up and back, then into a row and undone: nothing comes of either.
    await card(3).click();
    await page.keyboard.press('Escape');
    await card(3).click();
    await page.keyboard.press('c');
    await page.keyboard.press('Backspace');

    await acts(page.keyboard.press('p'));
    await page.locator('.take[data-step=paused]').waitFor();
    await pass(1500);
    await acts(page.keyboard.press('p'));
    await pass(600);
    await acts(dragToRow(page, 2, 'b'));
    drops.push(await lastEvent(page));
    await pass(2200);
    await acts(page.keyboard.press('Shift+Escape'));
    const beeps = await beepsOf(page);
    await page.locator('.tk-after').waitFor();

    const project = await keptProject(page);
    const { videos, tier_tiles: tiles } = project.timeline_data;
    assert.equal(videos.length, 2, 'a clip before the pause, and one after it');
    assert.deepEqual(
      project.tier_list.rows.slice(0, 4).map((row) => row.item_ids),
      [['picture_0'], ['picture_1'], ['picture_2'], []],
    );
    assert.ok(tiles.every(({ reveal, stamp_at: at, position }) => reveal === 'spotlight' && at! > position));
    await page.keyboard.press('Control+z');
    assert.deepEqual(await keptProject(page), empty, 'all of it is one step');
    await page.keyboard.press('Control+Shift+z');

    await acts(page.locator('.tk-after').getByRole('button', { name: 'Export 3 videos' }).click());
    await page.getByText('All three formats are ready').waitFor({ timeout: 240_000 });
    const files: string[] = [];
    for (const { name } of PRESETS) {
      const got = page.waitForEvent('download');
      await acts(page.locator(`.or[data-preset=${name}] a`).click());
      files.push(await (await got).path());
    }
    assert.ok(actions <= 25, `${actions} actions`);
    assert.deepEqual(faults, []);

    // When the video began, on the page's clock, by every verdict; a pause lies before the last one.
    const verdicts = tiles.map((tile) => Math.round(tile.stamp_at! * FPS));
    const begun = drops.map((drop, i) => drop - verdicts[i]! * FRAME_MS);
    assert.ok(Math.abs(begun[0]! - begun[1]!) <= FRAME_MS + 1, `verdicts to the frame: ${begun}`);
    const cut = Math.round(videos[1]!.start! * FPS);
    const first = (begun[0]! + begun[1]!) / 2;
    const pageTime = (frame: number) => (frame < cut ? first : begun[2]!) + frame * FRAME_MS;

    const ages = [await agesOf(files[0]!, (frame) => frame < cut), await agesOf(files[0]!, (frame) => frame >= cut)];
    for (const each of ages) {
      assert.ok(each.length > 20, `${each.length} pictures were read`);
      const off = median(each) - USUAL_AGE_MS;
      report.diagnostic(`${each.length} pictures, ${Math.round(off)} ms off`);
      assert.ok(Math.abs(off) <= MOST_OFF_MS, `pictures are ${off} ms off`);
    }
    const { left } = await decodedTrack(files[0]!);
    const heard = findBursts(left, 48_000).map((seconds) => pageTime(seconds * FPS));
    assert.ok(heard.length >= 3, `${heard.length} beeps`);
    const offs = heard.map((at) => Math.min(...beeps.map((beep) => Math.abs(beep - at))));
    report.diagnostic(`beeps are ${offs.map(Math.round)} ms off`);
    assert.ok(median(offs) <= MOST_OFF_MS, `sounds are ${offs.map(Math.round)} ms off`);

    /** How old the pictures of a video are when they are first shown, by the time that they show. Under a card that is held up they are dim, and not read. */
    async function agesOf(file: string, counts: (frame: number) => boolean): Promise<number[]> {
      const found: number[] = [];
      let frame = -1;
      let before: number | null = null;
      await eachFrame(file, ({ data, linesize, width, height }) => {
        frame += 1;
        const number = readFrameNumber({ data: data![0]!, stride: linesize[0]!, width, height }, CAM);
        const isFresh = number !== null && before !== null && number !== before;
        before = number;
        if (isFresh && counts(frame)) found.push(pageTime(frame) - number * NUMBER_MS);
      });
      return found;
    }
  },
);

test('a browser that is killed in a take loses at most 5 s of it, and offers the rest', SLOW, async () => {
  const profile = mkdtempSync(join(tmpdir(), 'tiercut-take-'));
  try {
    const others = new Set(descendantsOf(process.pid));
    await using first = await launchKeeping(profile, ...FAKE_DEVICES);
    const page = await first.newPage();
    await page.goto(`${service.base}/studio#new`, { timeout: LOADING_MS });
    await page.locator('.top').waitFor();
    await dropPictures(page, 2);
    await page.locator('.pool .tile').nth(1).waitFor();
    await page.keyboard.press('Shift+R');
    await page.locator('.tk-go:enabled').waitFor();
    await page.locator('.tk-go').click();
    await page.locator('.take[data-step=run]').waitFor();
    await page.locator('.tk-card').first().click();
    await pass(700);
    await page.keyboard.press('a');
    await pass(8000);
    const recorded = await page.locator('.tk-rec time').textContent();
    const lost = first.waitForEvent('close').catch(() => {});
    for (const pid of descendantsOf(process.pid)) if (!others.has(pid)) process.kill(pid, 'SIGKILL');
    await lost;

    await using second = await launchKeeping(profile, ...FAKE_DEVICES);
    const again = await second.newPage();
    await again.goto(`${service.base}/studio`);
    await again.getByRole('button', { name: 'Put it on the timeline' }).click();
    await again.locator('.tk-after').waitFor();
    const { timeline_data, studio, tier_list } = await keptProject(again);
    const [take] = Object.values(studio.media).filter((entry) => entry.recorded);
    const seconds = Number(recorded!.split(':')[1]);
    assert.ok(seconds >= 8, `${recorded} was recorded`);
    assert.ok(take!.duration > seconds - 5, `${take!.duration} s of ${recorded}`);
    assert.equal(timeline_data.videos.length, 1);
    assert.deepEqual(tier_list.rows[1]!.item_ids, ['picture_0']);
    assert.equal(await again.getByText('was not finished').count(), 0);
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});

async function dragToRow(page: Page, number: number, row: string): Promise<void> {
  const from = (await page.locator(`.tk-card[data-item=picture_${number}]`).boundingBox())!;
  const to = (await page.locator(`.tk-row[data-take=${row}]`).boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 40, { steps: 3 });
  await pass(900);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 3 });
  await page.mouse.up();
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
