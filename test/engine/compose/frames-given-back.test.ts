import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_GRAY8 } from 'node-av/constants';
import { ClipMixer } from '../../../src/engine/compose/clip-mixer.ts';
import { ClipPicture } from '../../../src/engine/compose/clip-picture.ts';
import { dimmedFrame, FrontOfBoard } from '../../../src/engine/compose/front-of-board.ts';
import { MovingPicture } from '../../../src/engine/compose/moving-picture.ts';
import type { Mix } from '../../../src/plan/frame/clip-at-frame.ts';
import { frames } from '../../../src/time.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { CountedPool } from './counted-pool.ts';
import { plainSource } from './plain-source.ts';

const CANVAS = { width: 64, height: 64, background: '#000000' } as const;

const MIXES: readonly Mix[] = [
  { by: 'share', share: 0.5, fromScale: 1.2, toScale: 1 },
  { by: 'share', share: 0.5, fromScale: 1, toScale: 1.2 },
  { by: 'color', shown: 'to', share: 0.5 },
  { by: 'edge', end: 32, soft: 4 },
  { by: 'shift', shift: 32 },
];

test('[C58] a transition that fails releases the frames it took', () => {
  for (const mix of MIXES) {
    using pool = new CountedPool();
    const from = plainSource(pool, null).frame;
    // A frame without pixels.
    const to = pool.take();
    {
      using mixer = new ClipMixer(CANVAS, pool);
      assert.throws(() => mixer.mix(from, to, mix));
    }
    for (const frame of [from, to]) pool.give(frame);
    assert.equal(pool.out, 0, JSON.stringify(mix));
  }
});

test('[R30] an error in front of the board leaks no frame', async () => {
  // Its pixels are missing.
  const broken = { rect: { x: 0, y: 0, width: 8, height: 8 }, rgba: null as never };
  const rest = { below: [], patch: null, dim: null, clips: [] };
  for (const stack of [
    { ...rest, shake: null, above: [broken] },
    { ...rest, shake: { x: 2, y: 0 }, above: [broken] },
    { ...rest, shake: { x: 200, y: 0 }, above: [] },
  ]) {
    using pool = new CountedPool();
    const below = plainSource(pool, null).frame;
    {
      using front = new FrontOfBoard(CANVAS, pool);
      front.put(below);
      pool.give(below);
      await assert.rejects(front.show(stack, frames(0)));
    }
    assert.equal(pool.out, 0, JSON.stringify(stack));
  }
});

test('a source picture without pixels fails, and no frame leaks', async () => {
  const { plan } = videoPlan(
    { p: fileSource('p') },
    { videos: [{ file_field: 'p', duration: 1 }] },
    { width: 96, height: 96 },
  );
  using pool = new CountedPool();
  {
    using clip = new ClipPicture(plan.clips[0]!, null, pool);
    const picture = plainSource(pool, null);
    picture.frame.unref();
    await assert.rejects(clip.update(picture));
  }
  assert.equal(pool.out, 0);
});

test('[R27] an error while dimming a clip leaks no frame', () => {
  using pool = new CountedPool();
  const grey = pool.take();
  grey.width = 64;
  grey.height = 64;
  grey.format = AV_PIX_FMT_GRAY8;
  grey.getBuffer();
  assert.throws(() => dimmedFrame(grey, { color: [0, 0, 0], alpha: 0.2 }, pool));
  pool.give(grey);
  assert.equal(pool.out, 0);
});

test('[C59] an error while moving a picture leaks no frame', async () => {
  const videos = [{ file_field: 'p', duration: 1, motion: { to: { scale: 3 } } }];
  const { plan } = videoPlan({ p: fileSource('p') }, { videos }, { width: 96, height: 96 });
  const clip = { ...plan.clips[0]! };
  using pool = new CountedPool();
  {
    using moving = new MovingPicture(clip, clip.motion!, null, pool);
    await moving.update(plainSource(pool, null));
    const view = clip.crop;
    // No part of the source can be cropped any more.
    Object.assign(clip, { crop: null });
    await assert.rejects(moving.move(view, frames(0)));
  }
  assert.equal(pool.out, 0);
});
