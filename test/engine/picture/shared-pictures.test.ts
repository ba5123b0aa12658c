import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { mustSucceed } from '../../../src/engine/libav/libav-call.ts';
import { SharedPictures } from '../../../src/engine/picture/shared-pictures.ts';

/** A frame with its own pixels. */
function picture(pool: FramePool): Frame {
  const frame = pool.take();
  frame.width = 16;
  frame.height = 16;
  frame.format = AV_PIX_FMT_YUV420P;
  mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
  return frame;
}

test('a frame that two presets prepare in the same way is prepared once, and released when both are done', async () => {
  using pool = new FramePool();
  using pictures = new SharedPictures(pool);
  const reader = {};
  const made: Frame[] = [];
  const make = async () => made[made.push(picture(pool)) - 1]!;
  const [one, other] = [pictures.of(reader, 'frame 1'), pictures.of(reader, 'frame 1')];
  assert.equal(one, other);
  const [mine, yours] = await Promise.all([one.get('small', make), other.get('small', make)]);
  assert.equal(made.length, 1);
  assert.notEqual(mine, yours, 'each has a reference of its own');
  for (const frame of [mine, yours]) pool.give(frame);
  pool.give(await other.get('large', make));
  assert.equal(made.length, 2);

  one.leave();
  // The reader goes on; a caller that is behind still has the result.
  const next = pictures.of(reader, 'frame 2');
  assert.notEqual(next, other);
  pool.give(await other.get('small', make));
  assert.equal(made.length, 2);
  assert.ok(made[0]!.isWritable, 'nobody else refers to it, and it is still there');
  other.leave();
  next.leave();
  await Promise.resolve();
  assert.equal(made[0]!.width, 0, 'its pixels are gone');
});

test('a picture that fails, fails for every caller', async () => {
  using pool = new FramePool();
  using pictures = new SharedPictures(pool);
  const shared = pictures.of({}, 'frame');
  const fails = () => Promise.reject(new Error('no memory'));
  await assert.rejects(shared.get('small', fails), /no memory/);
  await assert.rejects(shared.get('small', fails), /no memory/);
  shared.leave();
});
