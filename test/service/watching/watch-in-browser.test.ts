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

/** What the page's player does, in the page. */
function inPlayer<T>(page: Page, body: string): Promise<T> {
  return page.evaluate(
    `(async () => { const video = document.querySelector('#player video'); ${body} })()`,
  ) as Promise<T>;
}

/** Resolves when the player has come so far. */
function reached(page: Page, seconds: number): Promise<void> {
  return inPlayer(
    page,
    `await new Promise((resolve) => {
       const look = () => video.currentTime > ${seconds} && resolve();
       video.addEventListener('timeupdate', look);
       look();
     });`,
  );
}

/** Seeks to the middle of a frame, and waits for a picture that starts at that frame; returns its number. */
async function numberAt(page: Page, frame: number): Promise<number | null> {
  const grey = await inPlayer<number[]>(
    page,
    `await new Promise((resolve) => {
       const look = (_, { mediaTime }) => {
         if (Math.abs(mediaTime - ${frame / FPS}) < 0.001) resolve();
         else video.requestVideoFrameCallback(look);
       };
       video.requestVideoFrameCallback(look);
       video.currentTime = ${(frame + 0.5) / FPS};
     });
     const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d');
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
  await page.locator('#player video').waitFor({ timeout: 60_000 });
  await inPlayer(page, 'video.muted = true; await video.play();');
  await reached(page, 1);
  const state = async () => (await service.exports.api.get(null, id))!.state;
  assert.equal(await state(), 'rendering', 'it plays before the export is complete');
  await inPlayer(page, 'video.pause();');
  for (const frame of [3, 37, 0]) assert.equal(await numberAt(page, frame), frame);

  // On to the end, over what is still to come, and over the change from chunks to the finished video.
  await inPlayer(page, 'video.playbackRate = 8; await video.play();');
  await reached(page, 4);
  service.host.allow(1);
  await reached(page, 6);
  assert.notEqual(await state(), 'completed');
  service.host.allow(1);
  await page.locator('#player[data-showing=video]').waitFor({ timeout: 90_000 });
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
  await page.locator('#player video[height="128"]').waitFor({ timeout: 60_000 });
  await reached(page, 0.5);
  assert.deepEqual(complaints, []);
});
