import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Picture } from '../../paint/picture-difference.ts';
import type { ProjectOnDisk, StudioPage } from './studio-page.ts';

/** What a worker has drawn reaches the page a few pictures of the screen later, on a machine that does much else after so long. */
const LATE_MS = 20_000;
/** Between two looks: to read and compare a picture takes time that the page needs to draw it. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 500;

/** A frame of a project as the service renders it. */
export async function exactFrame(base: string, of: ProjectOnDisk, frame: number, preset: string): Promise<Picture> {
  const form = new FormData();
  for (const name of ['tier_list', 'timeline_data', 'settings'] as const) form.set(name, JSON.stringify(of[name]));
  form.set('frame', String(frame));
  form.set('preset', preset);
  for (const [field, path] of Object.entries(of.files)) form.set(field, new Blob([readFileSync(path)]), basename(path));
  const reply = await fetch(`${base}/video/frames`, { method: 'POST', body: form });
  assert.equal(reply.status, 200, await reply.clone().text());
  const image = await loadImage(Buffer.from(await reply.arrayBuffer()));
  const { width, height } = image;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, rgba: Buffer.from(context.getImageData(0, 0, width, height).data.buffer) };
}

/** Goes to a frame by keys. */
export async function goTo(studio: StudioPage, frame: number): Promise<void> {
  await studio.page.keyboard.press('Home');
  await studio.seesFrame(0);
  for (let at = 0; at < frame; ) {
    const step = frame - at >= 30 ? 30 : 1;
    await studio.page.keyboard.press(step === 30 ? 'Shift+ArrowRight' : 'ArrowRight');
    at += step;
  }
  await studio.seesFrame(frame);
}

/** Returns the visible value as soon as it is the expected one; the actual value after the timeout. */
export async function looked<T>(look: () => Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const lateMs = performance.now() + LATE_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
    const found = await look();
    if (isRight(found) || performance.now() > lateMs) return found;
    await pass(pauseMs);
  }
}
