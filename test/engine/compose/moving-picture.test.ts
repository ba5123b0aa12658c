import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovingPicture } from '../../../src/engine/compose/moving-picture.ts';
import { SharedPictures } from '../../../src/engine/picture/shared-pictures.ts';
import { viewAt } from '../../../src/plan/frame/clip-at-frame.ts';
import { frames } from '../../../src/time.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { CountedPool } from './counted-pool.ts';
import { plainSource } from './plain-source.ts';

function movingClip(entry: object) {
  const videos = [{ file_field: 'p', duration: 1, motion: { to: { scale: 3 } }, ...entry }];
  return videoPlan({ p: fileSource('p', { alpha: true }) }, { videos }, { width: 96, height: 64 }).plan.clips[0]!;
}

test('[C59] [R23] a clip that moves follows a file whose alpha starts and ends', async () => {
  using pool = new CountedPool();
  const clip = movingClip({ fit: 'cover' });
  using moving = new MovingPicture(clip, clip.motion!, '#000000', pool);
  for (const [n, alpha] of [null, 90, null, 200].entries()) {
    await moving.update(plainSource(pool, alpha));
    await moving.move(viewAt(clip.motion!, frames(n)), frames(n));
    const { frame } = moving;
    assert.equal(moving.alpha, alpha !== null);
    const planes = frame.data!.map((bytes, plane) => bytes[30 * frame.linesize[plane]! + 20]);
    assert.deepEqual(planes.slice(0, 4), alpha === null ? [128, 128, 128] : [128, 128, 128, alpha]);
  }
});

test('a picture that a moving clip cannot use is released, with all references to it', async () => {
  using pool = new CountedPool();
  using pictures = new SharedPictures(pool);
  const clip = movingClip({ fit: 'blur' });
  {
    using moving = new MovingPicture(clip, clip.motion!, '#000000', pool);
    const { facts, ...picture } = plainSource(pool, null);
    const shared = pictures.of({}, 'frame 1');
    await assert.rejects(moving.update({ ...picture, shared, facts: { ...facts, pixelFormat: -1 as never } }));
  }
  assert.equal(pool.out, 0);
});
