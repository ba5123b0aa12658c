import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gradientLevels, writeGradient } from '../../../src/paint/pixels/gradient-pixels.ts';
import { gradientColors, gradientMove } from '../../../src/plan/frame/ground.ts';
import type { Gradient } from '../../../src/plan/model/canvas.ts';
import { frames } from '../../../src/time.ts';

const RATE = { num: 30, den: 1 };

/** The red channel, row by row. */
function drawn(gradient: Gradient, width: number, height: number, move = 0): Uint8Array {
  const bytes = new Uint8Array(width * height);
  const [levels] = gradientLevels(gradient, move, (color) => color);
  writeGradient(levels, gradient, { bytes, at: 0, column: 1, row: width, width, height });
  return bytes;
}

test('[C61] a gradient follows its angle, as in CSS, from its first colour to its last', () => {
  const corners = (angle: number) => {
    const pixels = drawn({ colors: ['#000000', '#ff0000'], angle, moving: false }, 64, 32);
    return [0, 63, 31 * 64, 31 * 64 + 63].map((at) => Math.round(pixels[at]! / 255));
  };
  assert.deepEqual(corners(0), [1, 1, 0, 0]);
  assert.deepEqual(corners(90), [0, 1, 0, 1]);
  assert.deepEqual(corners(180), [0, 0, 1, 1]);
  assert.deepEqual(corners(270), [1, 0, 1, 0]);
  const three = drawn({ colors: ['#ff0000', '#000000', '#ff0000'], angle: 90, moving: false }, 255, 1);
  assert.deepEqual([three[0]! > 250, three[127]! < 3, three[254]! > 250], [true, true, true]);
});

test('[R33] levels between two whole ones are dithered by position: right on average, never off by a level', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  const gradient = fc.record({
    colors: fc.array(color, { minLength: 2, maxLength: 4 }),
    angle: fc.double({ min: 0, max: 360, noNaN: true }),
    moving: fc.boolean(),
  });
  fc.assert(
    fc.property(gradient, fc.nat(479), (made, move) => {
      const [width, height] = [48, 24];
      const pixels = drawn(made, width, height, move);
      const colorAt = gradientColors(made, move);
      const turn = (made.angle * Math.PI) / 180;
      const [right, down] = [Math.sin(turn), -Math.cos(turn)];
      const length = Math.abs(width * right) + Math.abs(height * down);
      for (const [at, pixel] of pixels.entries()) {
        const [x, y] = [(at % width) + 0.5 - width / 2, Math.floor(at / width) + 0.5 - height / 2];
        const [exact] = colorAt(0.5 + (x * right + y * down) / length);
        assert.ok(Math.abs(pixel - exact) < 1.5, `${pixel} where ${exact} is meant`);
      }
    }),
    { numRuns: 50 },
  );
  // Eight levels over a thousand columns: without dithering, steps of 128 columns each.
  const shallow = drawn({ colors: ['#400000', '#480000'], angle: 90, moving: false }, 1024, 8);
  for (let x = 0; x < 1024; x += 8) {
    let sum = 0;
    for (let y = 0; y < 8; y += 1) for (let i = 0; i < 8; i += 1) sum += shallow[y * 1024 + x + i]!;
    assert.ok(Math.abs(sum / 64 - (64 + ((x + 4) / 1024) * 8)) < 0.06, `at ${x}`);
  }
});

test('[C61, R4] a gradient moves ten times a second by the frame number alone, and repeats after 48 s; a still one never moves', () => {
  const moving = { colors: ['#000000', '#ff0000'], angle: 180, moving: true };
  const moves = Array.from({ length: 12 }, (_, n) => gradientMove(moving, frames(n), RATE));
  assert.deepEqual(moves, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  assert.equal(gradientMove(moving, frames(48 * 30 + 3), RATE), 1);
  assert.deepEqual(drawn(moving, 16, 16, 0), drawn(moving, 16, 16, 480));
  assert.equal(gradientMove({ ...moving, moving: false }, frames(500), RATE), 0);
  // So slowly that even from black to full colour no pixel changes by more than three levels at once.
  for (let move = 0; move < 480; move += 24) {
    const [before, after] = [drawn(moving, 4, 64, move), drawn(moving, 4, 64, move + 1)];
    assert.ok(before.every((level, at) => Math.abs(level - after[at]!) <= 3));
  }
});
