import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, INK_DARK, INK_LIGHT, inkOn, luminance, type Rgb, rgbOf } from '../../../src/paint/draw/color.ts';

test('luminance and contrast are those of WCAG 2', () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.equal(luminance([255, 255, 255]), 1);
  assert.equal(contrast([255, 255, 255], [0, 0, 0]), 21);
  assert.ok(Math.abs(contrast(rgbOf('#777777'), rgbOf('#ffffff')) - 4.48) < 0.005);
});

test('[R11] label text is dark on light colours, light on dark ones, and legible on every colour there is', () => {
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
