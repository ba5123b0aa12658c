import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, noBrowser as skip } from '../../browser/chromium.ts';
import { readFrameNumber } from '../../fixtures/frame-number.ts';
import { FPS, PacedService, SECONDS } from './paced-service.ts';

let service: PacedService;
let browser: Browser;
before(async () => {
  if (skip) return;
  service = await PacedService.start();
  browser = await launchBrowser();
});
after(async () => {
  if (skip) return;
  await browser.close();
  await service[Symbol.asyncDispose]();
});

/** A wait in the page that takes longer does not end. */
const LIMIT_MS = 60_000;
const LOOK_MS = 100;

/** What the page's player does, in the page. The page replaces the video, so each call finds it again. */
function inPlayer<T>(page: Page, body: string): Promise<T> {
  return page.evaluate(
    `(async () => { const video = document.querySelector('#player video'); ${body} })()`,
  ) as Promise<T>;
}

/** Resolves when this is true of the player. Looked at from here: the page's policy allows no code from strings. */
async function until(page: Page, what: string, condition: string): Promise<void> {
  for (let left = LIMIT_MS / LOOK_MS; left > 0; left -= 1) {
    if (await inPlayer<boolean>(page, `return ${condition};`)) return;
    await page.waitForTimeout(LOOK_MS);
  }
  const state = await inPlayer(
    page,
    `const { currentTime, paused, ended, seeking, readyState, networkState, duration } = video;
     return { currentTime, paused, ended, seeking, readyState, networkState, duration };`,
  );
  throw new Error(`not ${what}: ${JSON.stringify(state)}`);
}

/** Resolves when the player has come so far. */
function reached(page: Page, seconds: number): Promise<void> {
  return until(page, `at ${seconds} s`, `video.currentTime > ${seconds}`);
}

/** Seeks to the middle of a frame, and returns the number that the picture there shows. */
async function numberAt(page: Page, frame: number): Promise<number | null> {
  const seconds = (frame + 0.5) / FPS;
  await inPlayer(page, `video.currentTime = ${seconds};`);
  await until(page, `at frame ${frame}`, `!video.seeking && video.readyState >= 2 && video.currentTime === ${seconds}`);
  // The compositor gets the picture a moment after the seek has ended.
  for (let left = 20; ; left -= 1) {
    const shown = await shownNumber(page);
    if (shown === frame || left === 0) return shown;
    await page.waitForTimeout(100);
  }
}

async function shownNumber(page: Page): Promise<number | null> {
  const grey = await inPlayer<number[]>(
    page,
    `const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d');
     canvas.drawImage(video, 0, 0);
     const { data } = canvas.getImageData(0, 0, video.videoWidth, video.videoHeight);
     return Array.from({ length: data.length / 4 }, (_, n) => data[4 * n + 1]);`,
  );
  return readFrameNumber({ data: Buffer.from(grey), stride: 128, width: 128, height: 72 });
}

test('[C49] it plays before it is rendered, seeks back, plays to the end, and finally is the MP4', {
  skip,
}, async () => {
  const id = await service.submit();
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  const complaints: string[] = [];
  // Also what the content security policy blocks is an error on the console.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${service.base}/video/exports/${id}`);
  await page.getByText('Waiting for the first seconds').waitFor();
  service.host.allow(1);
  await page.locator('#player video').waitFor({ timeout: LIMIT_MS });
  await inPlayer(page, 'video.muted = true; video.play();');
  await reached(page, 1);
  const state = async () => (await service.exports.api.get(null, id))!.state;
  assert.equal(await state(), 'rendering', 'it plays before the export is complete');
  await inPlayer(page, 'video.pause();');
  for (const frame of [3, 37, 0]) assert.equal(await numberAt(page, frame), frame);

  // On to the end, over what is still to come, and over the change from chunks to the finished video.
  await inPlayer(page, 'video.playbackRate = 8; video.play();');
  await reached(page, 4);
  service.host.allow(1);
  await reached(page, 6);
  assert.notEqual(await state(), 'completed');
  service.host.allow(1);
  await page.locator('#player[data-showing=video]').waitFor({ timeout: LIMIT_MS });
  assert.equal(await state(), 'completed');
  const { at, seconds, source } = await inPlayer<{ at: number; seconds: number; source: string }>(
    page,
    'return { at: video.currentTime, seconds: video.duration, source: video.currentSrc };',
  );
  assert.deepEqual([seconds, source], [SECONDS, `${service.base}/video/exports/${id}/download/preset_one?inline`]);
  assert.ok(Math.abs(at - SECONDS) < 0.2, `the end was reached: ${at} s`);
  assert.equal(await numberAt(page, 100), 100);
  assert.deepEqual(complaints, []);

  // Another preset, without a request so far.
  service.host.allow(1);
  await page.locator('tr[data-preset=preset_two]').getByRole('button', { name: 'Watch' }).click();
  await page.locator('#player video[height="128"]').waitFor({ timeout: LIMIT_MS });
  await reached(page, 0.5);
  assert.deepEqual(complaints, []);
});
