import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchBrowser, noBrowser } from '../test/browser/chromium.ts';
import { descendantsOf, residentBytes } from '../test/service/process-tree.ts';
import { ServiceFixture } from '../test/service/service-fixture.ts';
import { giveOwnTime, lastEvent } from '../test/studio/page/own-time.ts';
import { FPS, FRAME_MS, median, PRESETS, readBeeps, readNumbers, readPictures } from '../test/studio/page/read-back.ts';
import { dropPictures, keptProject } from '../test/studio/page/shell-page.ts';

const MB = 1e6;
const ROW_KEYS = ['s', 'a', 'b', 'c', 'd', 'f'];
/** From a card that is picked up to its row. */
const HELD_MS = 900;
/** Sync is reported for the first and the last of these. */
const END_SECONDS = 30;
/** The bound for sync. */
const MAX_OFF_MS = 40;
/** Every 20 s. */
const LOST_EVERY_BEEPS = 15;

/**
 * `npm run bench -- take [--minutes MINUTES] [--cards CARDS] [--lost MS]`: records a take that shows and sounds its own
 * time, exports it and reads the result. With `--lost`, the microphone loses so many milliseconds of sound every 20 s.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '10' },
      cards: { type: 'string', default: '10' },
      lost: { type: 'string', default: '0' },
    },
  });
  if (noBrowser) {
    console.log(`Nothing to measure: ${noBrowser}.`);
    return;
  }
  await using service = await ServiceFixture.start({
    TIERCUT_LOG_LEVEL: 'silent',
    TIERCUT_PRESETS: JSON.stringify(PRESETS),
  });
  const others = new Set(descendantsOf(process.pid));
  const browser = await launchBrowser('--autoplay-policy=no-user-gesture-required');
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await giveOwnTime(page, { ms: Number(values.lost), everyBeeps: LOST_EVERY_BEEPS });
    await page.goto(`${service.base}/studio`, { timeout: 120_000 });
    await page.locator('.top').waitFor();
    const memory = () =>
      descendantsOf(process.pid)
        .filter((pid) => !others.has(pid))
        .reduce((sum, pid) => sum + residentBytes(pid), 0);
    await measure(page, Number(values.minutes) * 60, Number(values.cards), memory);
  } finally {
    await browser.close();
  }
}

async function measure(page: Page, seconds: number, cards: number, memory: () => number): Promise<void> {
  await dropPictures(page, cards);
  await page
    .locator('.pool .tile')
    .nth(cards - 1)
    .waitFor();
  await page.keyboard.press('Shift+R');
  await page.locator('.tk-go:enabled').waitFor();
  await page.locator('.tk-go').click();
  await page.locator('.take[data-step=run]').waitFor();
  const begun = performance.now();
  const memories = [memory()];
  const drops: number[] = [];
  const everyMs = (seconds * 1000) / (cards + 1);
  for (let card = 0; card < cards; card += 1) {
    await pass(Math.max(0, begun + (card + 1) * everyMs - HELD_MS - performance.now()));
    await page.locator(`.tk-card[data-item=picture_${card}]`).click();
    await pass(HELD_MS);
    await page.keyboard.press(ROW_KEYS[card % ROW_KEYS.length]!);
    drops.push(await lastEvent(page));
    memories.push(memory());
  }
  await pass(Math.max(0, begun + seconds * 1000 - performance.now()));
  const stopped = performance.now();
  await page.keyboard.press('Shift+Escape');
  await page.locator('.tk-after').waitFor({ timeout: 120_000 });
  console.log(
    `${seconds} s, ${cards} cards; on the timeline ${(performance.now() - stopped).toFixed(0)} ms after Stop`,
  );
  const { timeline_data, studio } = await keptProject(page);
  const bytes = Object.values(studio.media).reduce((sum, file) => sum + (file.recorded ? file.bytes : 0), 0);
  console.log(
    `recorded ${(bytes / MB).toFixed(1)} MB; memory of the browser ${(memories[0]! / MB).toFixed(0)} MB at the start, at most ${(Math.max(...memories) / MB).toFixed(0)}`,
  );

  const exported = performance.now();
  await page.locator('.tk-after').getByRole('button', { name: 'Export 3 videos' }).click();
  await page.getByText('All three formats are ready').waitFor({ timeout: 3_600_000 });
  console.log(`exported in ${((performance.now() - exported) / 1000).toFixed(0)} s`);
  const got = page.waitForEvent('download');
  await page.locator('.or[data-preset=preset_one] a').click();
  const file = await (await got).path();

  const verdicts = timeline_data.tier_tiles.map((tile) => Math.round(tile.stamp_at! * FPS));
  const starts = drops.map((drop, i) => drop - verdicts[i]! * FRAME_MS);
  const start = median(starts);
  const pageTime = (frame: number) => start + frame * FRAME_MS;
  const late = starts.map((each) => start - each);
  console.log(
    `verdicts ${range(late)} ms; drift from the first to the last ${(late.at(-1)! - late[0]!).toFixed(0)} ms`,
  );
  const numbers = await readNumbers(file);
  const sounds = await readBeeps(file, pageTime);
  const far = sounds.filter(({ offMs }) => Math.abs(offMs) > MAX_OFF_MS);
  for (const { seconds: at, offMs } of far) console.log(`a beep at ${at.toFixed(2)} s is ${offMs.toFixed(0)} ms off`);
  const end = numbers.length / FPS;
  for (const [from, to] of [
    [0, END_SECONDS],
    [end - END_SECONDS, end],
    [0, end],
  ] as const) {
    const { offMs, fresh, frames } = readPictures(numbers, pageTime, Math.round(from * FPS), Math.round(to * FPS));
    const offs = sounds.filter(({ seconds: at }) => at >= from && at < to).map((sound) => sound.offMs);
    console.log(
      `${from.toFixed(0)} to ${to.toFixed(0)} s: pictures ${offMs.toFixed(0)} ms late (median), ${frames - fresh} of ${frames} frames repeat one; beeps ${range(offs)} ms`,
    );
  }
}

function range(numbers: readonly number[]): string {
  return `${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)} (median ${median(numbers).toFixed(0)})`;
}
