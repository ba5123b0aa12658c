import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { PicturePool } from '../../../src/engine/libav/picture-pool.ts';

test('[R4] the memory of a picture is reused only after its last reference is released', () => {
  using frames = new FramePool();
  using pictures = new PicturePool(frames, 64, 32);
  const first = pictures.take();
  first.data![0]!.fill(7);
  const kept = frames.share(first);
  frames.give(first);
  const second = pictures.take();
  second.data![0]!.fill(9);
  assert.equal(kept.data![0]![0], 7, 'a holder of a reference sees the old picture');
  frames.give(kept);
  const third = pictures.take();
  assert.deepEqual([third.width, third.height, third.data![0]![0]], [64, 32, 7]);
  for (const frame of [second, third]) frames.give(frame);
});
