import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { encodePng } from '../../../src/engine/encode/png.ts';

test('[C39] a PNG keeps every pixel of the frame', async () => {
  for (const [width, height] of [
    [1, 1],
    [7, 5],
    [64, 33],
  ] as const) {
    const rgba = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
      at % 4 === 3 ? 255 : (at * at * 31) % 256,
    );
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    context.drawImage(await loadImage(await encodePng({ width, height, rgba })), 0, 0);
    assert.deepEqual([...context.getImageData(0, 0, width, height).data], [...rgba], `${width}×${height}`);
  }
});
