import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frameAt } from '../../src/plan/frame/frame-at.ts';
import { frameParts } from '../../src/studio/device/frame-parts.ts';
import { frames } from '../../src/time.ts';
import { fileSource, videoPlan } from '../engine/video-plan.ts';

const WIDE = fileSource('wide', { width: 1920, height: 1080 });
const TALL = fileSource('tall', { width: 1080, height: 1920 });

/** What a frame is made of: the operations that are drawn on a canvas, and `samples`. */
function partsAt(seconds: number, timeline: Readonly<Record<string, unknown>>, hasSamples = true): string[] {
  const size = { width: 640, height: 360 };
  const { plan } = videoPlan({ wide: WIDE, tall: TALL }, timeline, size);
  const parts = frameParts(plan, frameAt(plan, frames(Math.round(seconds * 30))), () => hasSamples);
  return parts.map((part) => (part.by === 'samples' ? 'samples' : part.operations.map(({ draw }) => draw).join(' ')));
}

const clip = (file_field: string, more: object = {}) => ({ file_field, start: 0, duration: 4, ...more });

test('[R46] a clip that fills the frame is all that is made of it', () => {
  assert.deepEqual(partsAt(1, { videos: [clip('wide')] }), ['samples']);
  assert.deepEqual(partsAt(1, { videos: [clip('tall', { fit: 'contain' })] }), ['samples']);
  assert.deepEqual(partsAt(1, { videos: [clip('wide')] }, false), ['background clip']);
});

test('[R46] what is over a clip is drawn over its samples, and what is below it is not drawn', () => {
  const subtitles = [{ text: 'over it', start: 0, duration: 4 }];
  assert.deepEqual(partsAt(1, { videos: [clip('wide')], subtitles }), ['samples', 'painted']);
  const corner = { x_percent: 50, y_percent: 50, width_percent: 25, height_percent: 25, fit: 'cover' };
  assert.deepEqual(partsAt(1, { videos: [clip('wide'), clip('tall', corner)] }), ['samples', 'samples']);
  const round = clip('tall', { ...corner, shape: 'circle' });
  assert.deepEqual(partsAt(1, { videos: [clip('wide'), round] }), ['samples', 'clip']);
});

test('[R46] a blurred backdrop is drawn, and the clip is put over it', () => {
  assert.deepEqual(partsAt(1, { videos: [clip('tall', { fit: 'blur' })] }), ['clip', 'samples']);
});

test('[R46] a clip that fades is drawn', () => {
  const videos = [clip('wide', { fade_in: 1 })];
  assert.deepEqual(partsAt(0.5, { videos }), ['background clip']);
  assert.deepEqual(partsAt(2, { videos }), ['samples']);
});
