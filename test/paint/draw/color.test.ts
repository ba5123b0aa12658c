import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  contrast,
  INK_DARK,
  INK_LIGHT,
  inkOn,
  litInk,
  luminance,
  type Rgb,
  rgbOf,
} from '../../../src/paint/draw/color.ts';

test('luminance and contrast are those of WCAG 2', () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.equal(luminance([255, 255, 255]), 1);
  assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  assert.ok(Math.abs(contrast(rgbOf('#777777'), rgbOf('#ffffff')) - 4.48) < 0.005);
});

test('[R11] label text is dark on light colours, light on dark ones, and legible on every colour', () => {
  assert.equal(inkOn(rgbOf('#ffff7f')), INK_DARK);
  assert.equal(inkOn(rgbOf('#0b1d51')), INK_LIGHT);
  const channel = fc.nat(255);
  fc.assert(
    fc.property(fc.tuple(channel, channel, channel), (color: Rgb) => {
      // Large bold text needs 3 : 1; there are greys on which nothing but pure black reaches 4.5.
      assert.ok(contrast(inkOn(color), color) >= 4.4);
    }),
  );
});

test('[C43] the active word is legible on its background and differs from the other words', () => {
  const yellow = rgbOf('#ffd540');
  assert.deepEqual(litInk(INK_LIGHT, INK_DARK), yellow);
  assert.ok(contrast(litInk(INK_DARK, yellow), yellow) >= 4.5, 'on a yellow box');
  const channel = fc.nat(255);
  const color = fc.tuple(channel, channel, channel);
  fc.assert(
    fc.property(color, color, (text: Rgb, ground: Rgb) => {
      const lit = litInk(text, ground);
      assert.ok(contrast(lit, ground) >= 3, `${lit} for ${text} on ${ground}`);
      assert.ok(text.some((value, at) => Math.abs(value - lit[at]!) > 40));
    }),
    { numRuns: 1000 },
  );
});
