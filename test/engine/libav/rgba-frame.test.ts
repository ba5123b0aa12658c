import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainFrame } from '../../../src/engine/compose/clip-layers.ts';
import { FramePool } from '../../../src/engine/libav/frame-pool.ts';

test("[R4] the frame owns its painted pixels: later changes of the painter's memory do not matter", async () => {
  using pool = new FramePool();
  for (let round = 0; round < 300; round++) {
    const frame = await plainFrame({ width: 64, height: 64, background: '#000000' }, pool);
    const pixels = frame.toBuffer();
    assert.ok(
      pixels.subarray(0, 64 * 64).every((luma) => luma === 16),
      `round ${round}`,
    );
    assert.ok(
      pixels.subarray(64 * 64).every((chroma) => chroma === 128),
      `round ${round}`,
    );
    pool.give(frame);
  }
});
