import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DITHER_SIDE } from '../../../src/paint/pixels/gradient-pixels.ts';
import { type PlainPicture, plainCanvas } from './plain-canvas.ts';

const [WIDTH, HEIGHT] = [64, 64];

function flat(level: number): PlainPicture {
  const half = () => new Uint8Array((WIDTH * HEIGHT) / 4).fill(128);
  return { width: WIDTH, height: HEIGHT, planes: [new Uint8Array(WIDTH * HEIGHT).fill(level), half(), half()] };
}

/** The mean of each column of luma, over as many rows as the pattern has. */
function columns({ planes: [luma] }: PlainPicture): number[] {
  return Array.from({ length: WIDTH / DITHER_SIDE }, (_, block) => {
    let sum = 0;
    for (let y = 0; y < DITHER_SIDE; y += 1) {
      for (let x = 0; x < DITHER_SIDE; x += 1) sum += luma[y * WIDTH + block * DITHER_SIDE + x]!;
    }
    return sum / DITHER_SIDE ** 2;
  });
}

test('[R33] a glow fainter than one level still shows: the mean of neighbours is that of a higher bit depth', () => {
  // Alpha rises by one from block to block over a dark ground: by less than a level of luma.
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1) {
    const alpha = 1 + Math.floor((at % WIDTH) / DITHER_SIDE);
    rgba.set([0, alpha, 0, alpha], 4 * at);
  }
  const shown = columns(plainCanvas(flat(30), null, [{ rect: { x: 0, y: 0, width: WIDTH, height: HEIGHT }, rgba }]));
  assert.equal(new Set(shown).size, WIDTH / DITHER_SIDE, `${shown}`);
  for (const [block, mean] of shown.entries()) {
    const alpha = (block + 1) / 255;
    const exact = 30 * (1 - alpha) + alpha * (16 + 0.7152 * 219);
    assert.ok(Math.abs(mean - exact) < 0.05, `${mean}, not ${exact}`);
  }
});

test('[R33] a flat background stays flat under a dim', () => {
  const dim = { color: [6, 7, 10], alpha: 0.66 } as const;
  const { planes } = plainCanvas(flat(41), dim, []);
  for (const plane of planes) assert.equal(new Set(plane).size, 1);
});
