import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { Project } from '../../../src/studio/document/project.ts';
import { launchBrowser, launchKeeping, noBrowser } from '../../browser/chromium.ts';
import { descendantsOf } from '../../service/process-tree.ts';
import { ServiceFixture } from '../../service/service-fixture.ts';
import {
  BEEP_EVERY_MS,
  beeped,
  beepsIn,
  endSharing,
  failDevices,
  fragmentWritten,
  giveOwnTime,
  heardBlocks,
  hide,
  keepScreens,
  lastEvent,
  limitFiles,
  mendDevices,
  recordedSeconds,
  refuseScreen,
  shareStill,
  unplug,
} from './own-time.ts';
import { FPS, FRAME_MS, median, PRESETS, readBeeps, readNumbers, readPictures } from './read-back.ts';
import { axeFaults, completed, dropPictures, keptProject, watchFaults } from './shell-page.ts';

const SLOW = { skip: noBrowser, timeout: 280_000 };
const MAX_OFF_MS = 40;
/** How long a person holds a card up: the verdict is to be later than the reveal. */
const HELD_UP_MS = 600;
/** A take of seconds does not fit into one file of these. */
const OWN_TIME_BYTES = 120_000;
const FAKE_CAMERA_BYTES = 240_000;
/** At least three fragments of the camera with its own time: the voice-over needs what they show. */
const DISK_BYTES = 90_000;
/** For the first page of a browser on a machine that does much else. */
const LOADING_MS = 60_000;
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
    await page.goto(`${service.base}/studio`, { timeout: LOADING_MS });
    await page.locator('.top').waitFor();
    await dropPictures(page, 4);
    await page.locator('.pool .tile').nth(3).waitFor();
    // Only the beeps of the recording are heard.
    await page.locator('.insp .fld').getByLabel('Reveal sound').selectOption('none');
    const empty = await keptProject(page);

    // There are devices, and this browser refuses them.
    await page.getByRole('button', { name: 'Record a take' }).first().click();
    await page.getByRole('alert').getByText('This page is not allowed to use the camera').waitFor();
    assert.ok(await page.locator('.tk-go').isDisabled());
    await page.keyboard.press('Escape');
    await page.locator('.take').waitFor({ state: 'detached' });

    await giveOwnTime(page, { ms: 150, everyBeeps: 3 });
    await limitFiles(page, OWN_TIME_BYTES);
    // This test chooses every card itself.
    await page.evaluate(`localStorage.setItem('tiercut.take', '{"nextCard":false}')`);
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
    // Space records on entry, whatever is first in the dialog.
    await acts(page.keyboard.press(' '));
    await page.locator('.take[data-step=run]').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('region', { name: 'Keys of a take' }).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press('Escape');
    await beeped(page);

    const card = (number: number) => page.locator(`.tk-card[data-item=picture_${number}]`);
    const drops: number[] = [];
    for (const [number, key] of ['s', 'a'].entries()) {
      await acts(card(number).click());
      await pass(HELD_UP_MS);
      await acts(page.keyboard.press(key));
      drops.push(await lastEvent(page));
      await beeped(page);
    }
    // Held up and put back, then ranked and undone: neither has an effect.
    await card(3).click();
    await page.keyboard.press('Escape');
    await card(3).click();
    await page.keyboard.press('c');
    await page.keyboard.press('Backspace');

    await acts(page.keyboard.press('p'));
    const pausedMs = await lastEvent(page);
    await page.locator('.take[data-step=paused]').waitFor();
    await beeped(page);
    await acts(page.keyboard.press('p'));
    await page.locator('.take[data-step=run]').waitFor();
    await beeped(page);
    await acts(dragToRow(page, 2, 'b'));
    drops.push(await lastEvent(page));
    await beeped(page);
    // A card that is ranked goes into another row: tapped, then the row.
    await acts(card(1).click());
    await acts(page.locator('.tk-row[data-take=s]').click());
    await beeped(page);
    // More than fits into a file.
    await recordedSeconds(page, 10);
    await acts(page.keyboard.press('Shift+Escape'));
    await page.locator('.tk-after').waitFor();
    // Beeps are no speech.
    await page.locator('.tk-after').getByText('There are none to remove.').waitFor();
    // A layout is shown while the mouse is on it, and not stored.
    const { settings: stored } = await keptProject(page);
    await page.locator('.tk-after').getByRole('radio', { name: 'Cam left' }).hover();
    assert.ok(await page.locator('.tk-after').getByRole('radio', { name: 'Cam right' }).isChecked());
    assert.deepEqual((await keptProject(page)).settings, stored);
    await page.mouse.move(600, 400);
    assert.deepEqual(await axeFaults(page), []);
    // What it opens is not below it, and it comes back afterwards.
    const captions = page.getByRole('complementary', { name: 'Captions' });
    await page.locator('.tk-after').getByRole('button', { name: 'Create' }).click();
    await captions.waitFor();
    assert.equal(await page.locator('.tk-after').count(), 0);
    await captions.getByRole('button', { name: 'Done' }).click();
    await page.locator('.tk-after').waitFor();

    const project = await keptProject(page);
    const { videos, tier_tiles } = project.timeline_data;
    const tiles = tier_tiles.filter((tile) => tile.to_row === undefined);
    checkClips(project);
    const fields = new Set(videos.map(({ file_field: field }) => field));
    assert.ok(fields.size >= 2, `the take is in ${fields.size} files`);
    const isPaused = ({ trim_start: trim = 0 }: (typeof videos)[number]) => trim > FRAME_MS / 1000;
    // A file that is nearly full ends at the pause: the clip after it then begins with its file.
    assert.ok(videos.filter(isPaused).length <= 1, 'at most the clip after the pause begins within its file');
    assert.deepEqual(
      tier_tiles.filter((tile) => tile.to_row !== undefined).map((tile) => [tile.tier_item_id, tile.to_row]),
      [['picture_1', 's']],
    );
    assert.deepEqual(
      project.tier_list.rows.slice(0, 4).map((row) => row.item_ids),
      [['picture_0'], ['picture_1'], ['picture_2'], []],
    );
    assert.ok(tiles.every(({ reveal, stamp_at: at, position }) => reveal === 'spotlight' && at! > position));
    await page.keyboard.press('Control+z');
    assert.deepEqual(await keptProject(page), empty, 'all of it is one step');
    await page.keyboard.press('Control+Shift+z');

    await acts(page.locator('.tk-after').getByRole('button', { name: 'Export 3 videos' }).click());
    await completed(page);
    const files: string[] = [];
    for (const { name } of PRESETS) {
      const got = page.waitForEvent('download');
      await acts(page.locator(`.or[data-preset=${name}] a`).click());
      files.push(await (await got).path());
    }
    assert.ok(actions <= 25, `${actions} actions`);
    assert.deepEqual(faults, []);

    // The start of the video on the page's clock, by every verdict; a pause is before the last one.
    const verdicts = tiles.map((tile) => Math.round(tile.stamp_at! * FPS));
    const begun = drops.map((drop, i) => drop - verdicts[i]! * FRAME_MS);
    assert.ok(Math.abs(begun[0]! - begun[1]!) <= FRAME_MS + 1, `verdicts to the frame: ${begun}`);
    const first = (begun[0]! + begun[1]!) / 2;
    // The clip after the pause is cut from its file, or begins with the next one.
    const pausedFrame = (pausedMs - first) / FRAME_MS;
    const starts = videos.map(({ start = 0 }) => Math.round(start * FPS));
    const cut = starts.reduce((near, at) => (Math.abs(at - pausedFrame) < Math.abs(near - pausedFrame) ? at : near));
    assert.ok(Math.abs(cut - pausedFrame) <= 2, `a clip starts at ${cut}, not at the pause at ${pausedFrame}`);
    const pageTime = (frame: number) => (frame < cut ? first : begun[2]!) + frame * FRAME_MS;

    const numbers = await readNumbers(files[0]!);
    const sounds = await readBeeps(files[0]!, pageTime);
    report.diagnostic(`beeps are ${sounds.map(({ offMs }) => Math.round(offMs))} ms off`);
    // In every clip, so also after a file has ended and after the pause.
    for (const { start = 0, duration = 0 } of videos) {
      const end = start + duration;
      const { fresh, frames, offMs } = readPictures(numbers, pageTime, Math.round(start * FPS), Math.round(end * FPS));
      report.diagnostic(`${fresh} new pictures in ${frames} frames, ${Math.round(offMs)} ms off`);
      if (fresh > 20) assert.ok(Math.abs(offMs) <= MAX_OFF_MS, `pictures of the clip at ${start} are ${offMs} ms off`);
      const beeps = sounds.filter(({ seconds }) => seconds >= start && seconds < end).map((sound) => sound.offMs);
      if (duration > 3) assert.ok(Math.abs(median(beeps)) <= MAX_OFF_MS, `beeps of the clip at ${start}: ${beeps}`);
    }
    // However short the clips are, there is enough to check before and after the pause.
    for (const [from, to] of [
      [0, cut],
      [cut, numbers.length],
    ] as const) {
      const { fresh, offMs } = readPictures(numbers, pageTime, from, to);
      assert.ok(fresh > 20 && Math.abs(offMs) <= MAX_OFF_MS, `${fresh} pictures are ${offMs} ms off`);
      const beeps = sounds.filter(({ seconds }) => seconds * FPS >= from && seconds * FPS < to);
      const off = median(beeps.map((sound) => sound.offMs));
      assert.ok(beeps.length >= 2 && Math.abs(off) <= MAX_OFF_MS, `${beeps.length} beeps are ${off} ms off`);
    }
    assert.ok(numbers.filter((number) => number !== null).length > 100, 'pictures were read');
  },
);

test('errors are reported, and the recording so far is kept', SLOW, async () => {
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  const faults: string[] = [];
  watchFaults(page, faults);
  await giveOwnTime(page);
  await page.goto(`${service.base}/studio`, { timeout: LOADING_MS });
  await page.locator('.top').waitFor();
  await dropPictures(page, 2);
  await page.locator('.pool .tile').nth(1).waitFor();
  const open = async () => {
    await page.keyboard.press('Shift+R');
    await page.locator('.tk-go:enabled').waitFor();
  };
  const record = async () => {
    await page.locator('.tk-go').tap();
    await page.locator('.take[data-step=run]').waitFor();
    await fragmentWritten(page);
  };
  /** It has ended by itself, says why, and what was written is on the timeline. */
  const ended = async (why: string) => {
    await page.locator('.tk-after').waitFor();
    await page.getByText(`${why}, so the take ended. What was recorded is kept.`).waitFor();
    const summary = await page.locator('.tk-after header p').textContent();
    assert.ok(Number(/^0:(\d\d)/.exec(summary!)?.[1]) >= 1, `${summary} are kept`);
    await page.locator('.tk-after').getByRole('button', { name: 'Close' }).tap();
  };

  await open();
  const alert = page.getByRole('alert');
  for (const [errorName, words] of [
    ['NotFoundError', 'No such device is connected'],
    ['NotReadableError', 'Another program uses the camera'],
  ] as const) {
    await failDevices(page, errorName);
    await page.getByRole('radio', { name: 'Voice' }).tap();
    await alert.getByText(words).waitFor();
    assert.ok(await page.locator('.tk-go').isDisabled());
    await mendDevices(page);
    await page.getByRole('radio', { name: 'Camera' }).tap();
    await page.locator('.tk-go:enabled').waitFor();
    assert.equal(await alert.count(), 0);
  }
  await page.evaluate(`Object.defineProperty(globalThis, 'isSecureContext', { value: false, configurable: true })`);
  await page.getByRole('radio', { name: 'Screen' }).tap();
  await alert.getByText('only on secure pages').waitFor();
  await page.evaluate(`Object.defineProperty(globalThis, 'isSecureContext', { value: true })`);
  await page.getByRole('radio', { name: 'Camera' }).tap();
  await page.locator('.tk-go:enabled').waitFor();
  await page.getByRole('switch', { name: 'Count down' }).tap();

  // By thumb: a card, then its row.
  await record();
  await hide(page, true);
  await page.getByText('The page is in the background').waitFor();
  await hide(page, false);
  await page.locator('.tk-card[data-item=picture_1]').tap();
  await page.locator('.tk-row[data-take=b]').tap();
  await unplug(page, 'video');
  await ended('The camera was disconnected');
  assert.deepEqual((await keptProject(page)).tier_list.rows[2]!.item_ids, ['picture_1']);

  await open();
  await record();
  await page.keyboard.press('p');
  await page.locator('.take[data-step=paused]').waitFor();
  await unplug(page, 'audio');
  await ended('The microphone was disconnected');

  await open();
  const session = await context.newCDPSession(page);
  const setQuota = (quota: { readonly quotaSize?: number }) =>
    session.send('Storage.overrideQuotaForOrigin', { origin: service.base, ...quota });
  // Room for the first fragment and not for many more.
  const used = (await page.evaluate('navigator.storage.estimate().then(({ usage }) => usage)')) as number;
  await setQuota({ quotaSize: used + DISK_BYTES });
  await record();
  await ended('The disk is full');
  await setQuota({});

  // No room for any.
  await open();
  await setQuota({ quotaSize: 1 });
  await page.locator('.tk-go').tap();
  await page.getByText('The disk is full, so the take ended. Nothing was recorded.').waitFor();
  await page.locator('.take').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.tk-after').count(), 0);
  await setQuota({});

  await open();
  await checkVoiceOver(page);
  assert.deepEqual(faults, []);
});

test(
  'a browser that is killed during a take loses at most 5 s of it, and offers the rest; it records a screen',
  SLOW,
  async () => {
    const profile = mkdtempSync(join(tmpdir(), 'tiercut-take-'));
    try {
      const others = new Set(descendantsOf(process.pid));
      await using first = await launchKeeping(profile, ...FAKE_DEVICES);
      const page = await first.newPage();
      await limitFiles(page, FAKE_CAMERA_BYTES);
      await page.goto(`${service.base}/studio`, { timeout: LOADING_MS });
      await page.locator('.top').waitFor();
      await dropPictures(page, 2);
      await page.locator('.pool .tile').nth(1).waitFor();
      await page.keyboard.press('Shift+R');
      await page.locator('.tk-go:enabled').waitFor();
      await page.locator('.tk-go').click();
      await page.locator('.take[data-step=run]').waitFor();
      await recordedSeconds(page, 5);
      await page.locator('.tk-card').first().click();
      await pass(HELD_UP_MS);
      await page.keyboard.press('a');
      await page.locator('.tk-up h2').getByText('Picture 1').waitFor();
      await recordedSeconds(page, 8);
      const recorded = await page.locator('.tk-rec time').textContent();
      const lost = first.waitForEvent('close').catch(() => {});
      for (const pid of descendantsOf(process.pid)) if (!others.has(pid)) process.kill(pid, 'SIGKILL');
      await lost;

      await using second = await launchKeeping(profile, ...FAKE_DEVICES);
      const again = await second.newPage();
      await keepScreens(again);
      await again.goto(`${service.base}/studio`);
      await again.getByRole('button', { name: 'Add to the timeline' }).click();
      await again.locator('.tk-after').waitFor();
      const project = await keptProject(again);
      const seconds = Number(recorded!.split(':')[1]);
      assert.ok(seconds >= 8, `${recorded} was recorded`);
      const kept = checkClips(project);
      assert.ok(kept > seconds - 5, `${kept} s of ${recorded}`);
      assert.deepEqual(project.tier_list.rows[1]!.item_ids, ['picture_0']);
      assert.equal(await again.getByText('was interrupted').count(), 0);
      await again.locator('.tk-after').getByRole('button', { name: 'Close' }).click();
      await checkScreen(again);
    } finally {
      rmSync(profile, { recursive: true, force: true });
    }
  },
);

/** That a screen is recorded, that the page reports a screen that is not shared or no longer shared, and that a take plays once. */
async function checkScreen(page: Page): Promise<void> {
  const go = page.locator('.tk-go:enabled');
  const unshared = page.getByRole('alert').getByText('No screen is shared');
  const again = page.getByRole('button', { name: 'Try again' });
  await page.keyboard.press('Shift+R');
  await go.waitFor();
  await refuseScreen(page);
  await page.getByRole('radio', { name: 'Screen' }).click();
  await unshared.waitFor();
  await again.click();
  await go.waitFor();
  await endSharing(page);
  await unshared.waitFor();
  assert.ok(await page.locator('.tk-go').isDisabled());
  await again.click();
  await go.waitFor();
  await page.locator('.tk-go').click();
  await page.locator('.take[data-step=count]').waitFor();
  await endSharing(page);
  await unshared.waitFor();
  assert.ok(await page.locator('.tk-go').isDisabled());
  await again.click();
  await go.waitFor();
  await page.locator('.tk-go').click();
  await page.locator('.take[data-step=run]').waitFor();
  await page.locator('.tk-card').first().click();
  await fragmentWritten(page);
  await page.keyboard.press('s');
  await endSharing(page);
  await page.locator('.tk-after').waitFor();
  await page.getByText('The screen is no longer shared').waitFor();
  const project = await keptProject(page);
  const kept = checkClips(project);
  assert.ok(kept >= 1, `${kept} s are kept`);
  const [clip] = project.timeline_data.videos;
  const { width, height } = project.studio.media[clip!.file_field]!;
  assert.ok(width > height, `a screen of ${width} × ${height}`);
  assert.deepEqual(project.tier_list.rows[0]!.item_ids, ['picture_0']);

  // A take plays once, also if the playback repeats.
  await page.locator('.tk-after').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('radio', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Repeat' }).click();
  await page.keyboard.press('Shift+R');
  await page.getByRole('radio', { name: 'Rank only' }).click();
  await go.click();
  await page.locator('.take[data-step=run]').waitFor();
  await page.locator('.take').waitFor({ state: 'detached' });

  await shareStill(page);
  await page.keyboard.press('Shift+R');
  await page.getByRole('radio', { name: 'Screen' }).click();
  await go.click();
  await page.locator('.take[data-step=run]').waitFor();
  await fragmentWritten(page);
  await page.keyboard.press('Shift+Escape');
  await page.locator('.tk-after').waitFor();
  const still = checkClips(await keptProject(page));
  assert.ok(still >= 1, `${still} s of a screen that does not change`);
}

/** That a voice-over is in time with the playback that was heard meanwhile, also after a pause. */
async function checkVoiceOver(page: Page): Promise<void> {
  const isRunning = page.locator('.take[data-step=run]');
  await page.getByRole('radio', { name: 'Voice' }).tap();
  assert.ok(await page.getByRole('radio', { name: 'Playhead' }).isChecked());
  await page.locator('.tk-go:enabled').tap();
  const goMs = await lastEvent(page);
  await isRunning.waitFor();
  await beeped(page);
  await page.keyboard.press('p');
  await page.locator('.take[data-step=paused]').waitFor();
  await beeped(page);
  await page.keyboard.press('p');
  // From here, because blocks may arrive between a key and its effect.
  const resumedMs = await lastEvent(page);
  await isRunning.waitFor();
  await beeped(page);
  await page.keyboard.press('Shift+Escape');
  await page.locator('.tk-after').waitFor();
  const blocks = await heardBlocks(page);
  const { timeline_data, studio } = await keptProject(page);
  const voices = timeline_data.soundtracks.filter(({ role }) => role === 'voice');
  assert.equal(voices.length, 2, 'a pause cuts the voice');
  const cut = voices[0]!.duration!;
  const starts = [goMs, resumedMs].map((ms) => {
    const later = blocks.filter(({ nowMs }) => nowMs > ms);
    const first = later.findIndex((block) => Number.isFinite(block.heardMs));
    const { heardMs, lostMs } = later[first]!;
    return { heardMs: later.slice(0, first).reduce((start, block) => start - block.ms, heardMs), lostMs };
  });
  const beeps = await beepsIn(page, studio.media[voices[0]!.file_field]!.hash);
  const offs = beeps.map((at) => {
    const { heardMs, lostMs } = starts[at < cut ? 0 : 1]!;
    const ms = heardMs + (at < cut ? at : at - cut) * 1000;
    return { ms: Math.round(ms - Math.round(ms / BEEP_EVERY_MS) * BEEP_EVERY_MS), lostMs: Math.round(lostMs) };
  });
  assert.ok(beeps.some((at) => at < cut) && beeps.some((at) => at > cut), `beeps at ${beeps}, cut at ${cut}`);
  assert.ok(
    offs.every(({ ms, lostMs }) => Math.abs(ms) <= MAX_OFF_MS + lostMs),
    `the voice is off the playback: ${JSON.stringify(offs)}`,
  );
}

/** That the clips of a take follow each other without a gap. @returns the seconds at which they end. */
function checkClips({ timeline_data: { videos } }: Project): number {
  let end = 0;
  for (const { start = 0, duration = 0 } of videos) {
    assert.ok(Math.abs(start - end) < 1e-5, `a clip begins at ${start}, the one before ends at ${end}`);
    end = start + duration;
  }
  return end;
}

async function dragToRow(page: Page, number: number, row: string): Promise<void> {
  const from = (await page.locator(`.tk-card[data-item=picture_${number}]`).boundingBox())!;
  const to = (await page.locator(`.tk-row[data-take=${row}]`).boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y - 40, { steps: 3 });
  await pass(HELD_UP_MS);
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 3 });
  await page.mouse.up();
}

/** Cards of the take that is counted, and what it may take, from the page to three downloads. */
const CARDS = 10;
const MAX_ACTIONS = 22;

for (const by of ['keys', 'mouse'] as const) {
  test(`a take of ${CARDS} cards takes at most ${MAX_ACTIONS} actions by ${by}, downloads included`, SLOW, async () => {
    await using context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    watchFaults(page, faults);
    await giveOwnTime(page);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(...(/\/(?:media|video)\/.*/.exec(request.url()) ?? [])));
    if (by === 'mouse') {
      await page.addInitScript(`localStorage.setItem('tiercut-render-while-editing', 'false')`);
      await page.route(/speech-worker-.*\.js/, async (route) => {
        const reply = await route.fetch();
        await route.fulfill({ response: reply, body: `delete globalThis.AudioDecoder;${await reply.text()}` });
      });
    }
    await page.goto(`${service.base}/studio`, { timeout: LOADING_MS });
    await page.locator('.first').waitFor();
    await dropPictures(page, CARDS);
    await page
      .locator('.pool .tile')
      .nth(CARDS - 1)
      .waitFor();
    let actions = 0;
    const press = async (key: string) => {
      actions += 1;
      await page.keyboard.press(key);
    };
    const click = async (selector: string) => {
      actions += 1;
      await page.locator(selector).click();
    };

    await (by === 'keys' ? press('Shift+R') : click('.tl-tools .take-button'));
    await page.locator('.tk-go:enabled').waitFor();
    await (by === 'keys' ? press(' ') : click('.tk-go'));
    await page.locator('.take[data-step=run]').waitFor();
    await (by === 'keys' ? press('Enter') : click('.tk-tray .tk-card[data-item=picture_0]'));
    for (let card = 0; card < CARDS; card += 1) {
      // The next one comes up by itself.
      await page
        .locator(`.tk-up[data-none=false] [data-item=picture_${card}], .tk-who h2`, { hasText: `Picture ${card}` })
        .first()
        .waitFor();
      await (by === 'keys' ? press('sabcdf'[card % 6]!) : click(`.tk-row >> nth=${card % 6}`));
    }
    await page.locator('.tk-stop[data-next=true]').waitFor();
    await (by === 'keys' ? press('Shift+Escape') : click('.tk-stop'));
    await page.locator('.tk-after').waitFor();
    if (by === 'mouse') {
      // A browser that does not decode the voice: nobody has asked for the pauses yet, so nothing is sent. (C78)
      await page.locator('.tk-after').getByText('This browser could not look for them.').waitFor();
      assert.deepEqual(sent, []);
    }
    await (by === 'keys' ? press('e') : click('.tk-after footer .prim'));
    await completed(page);
    const files = new Set<string>();
    for (const { name } of PRESETS) {
      const got = page.waitForEvent('download');
      if (by === 'mouse') await click(`.or[data-preset=${name}] a`);
      else {
        await page.locator('.or a').first().waitFor();
        if (files.size > 0) await press('Tab');
        await press('Enter');
      }
      files.add((await got).suggestedFilename());
    }

    assert.equal(files.size, PRESETS.length);
    const { timeline_data, tier_list } = await keptProject(page);
    assert.equal(timeline_data.tier_tiles.length, CARDS);
    assert.deepEqual(
      tier_list.rows.map(({ item_ids = [] }) => item_ids.length),
      [2, 2, 2, 2, 1, 1],
    );
    assert.ok(actions <= MAX_ACTIONS, `${actions} actions`);
    assert.deepEqual(faults, []);
  });
}
