import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutTitle } from '../../src/paint/layout/text/title-layout.ts';
import { createSkiaMeasure } from '../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { plainTheme } from '../../src/plan/place/plan-theme.ts';
import { frames } from '../../src/time.ts';
import { plan } from '../request-builder.ts';

function layerOf(title: object, preset?: string, settings: object = {}) {
  const titles = [{ text: 'Round two', start: 0, duration: 2, ...title }];
  const made = plan({ tier_list: {}, timeline_data: { titles }, settings }, {}, preset);
  return { made, layer: made.painted.title[0]! };
}

async function painted(title: object, settings: object = {}) {
  const { made, layer } = layerOf(title, undefined, settings);
  const painter = await SkiaPainter.create({ plan: made, files: new Map() });
  return { ...painter.paint('title', layer, frames(30))!.still, warnings: painter.warnings };
}

test('[C60, R37] a card fills the canvas with the ground of its theme', async () => {
  const { rect, rgba } = await painted({ kind: 'card' }, { theme: 'paper' });
  assert.deepEqual(rect, { x: 0, y: 0, width: 1920, height: 1080 });
  const middle = 4 * (1920 * 200 + 960);
  const [red, green, blue, alpha] = rgba.subarray(middle, middle + 4);
  assert.ok(Math.abs(red! - 0xd9) < 6 && Math.abs(green! - 0xc7) < 6 && Math.abs(blue! - 0xa6) < 6 && alpha === 255);
});

test('[C60] a plate is as large as its text, and is placed in its box by its alignment', () => {
  const measure = createSkiaMeasure();
  const places = (['left', 'center', 'right'] as const).map((align) => {
    const { layer } = layerOf({ align });
    return { box: layer.textRect, plate: layoutTitle(layer, plainTheme('midnight'), measure)!.plate };
  });
  const [left, , right] = places;
  assert.equal(left!.plate.x, left!.box.x);
  assert.ok(Math.abs(right!.plate.x + right!.plate.width - right!.box.x - right!.box.width) < 0.01);
  for (const { box, plate } of places) assert.ok(plate.width < box.width / 2 && plate.y === box.y);
});

test('[C60, R31] a card takes a second line before it shrinks, and stays in its box', () => {
  const measure = createSkiaMeasure();
  const sets = [
    'Ranked',
    'Every snack of my life, ranked',
    'Every single snack that I have ever eaten in all of my life, ranked',
  ].map((text) => {
    const { layer } = layerOf({ kind: 'card', text, subtext: 'From S to F' });
    const { lines } = layoutTitle(layer, plainTheme('midnight'), measure)!;
    const last = lines.at(-1)!.box;
    assert.ok(
      lines[0]!.box.y >= layer.textRect.y && last.y + last.height <= layer.textRect.y + layer.textRect.height + 1,
      text,
    );
    const { block } = lines[0]!;
    return { lines: block.lines.length, share: block.sizePx / layer.sizePx };
  });
  assert.deepEqual(
    sets.map(({ lines }) => lines > 1),
    [false, true, true],
  );
  assert.deepEqual([sets[0]!.share, sets[1]!.share], [1, 1]);
  assert.ok(sets[2]!.share < 1, `${sets[2]!.share}`);
});

test('[C60, R20] a title without a background has an outline in the opposite ink', async () => {
  const dark = (rgba: Uint8Array) => {
    let count = 0;
    for (let at = 0; at < rgba.length; at += 4) if (rgba[at + 3]! > 150 && rgba[at]! < 40) count += 1;
    return count;
  };
  const { rgba } = await painted({ background_alpha: 0, size: 90 });
  assert.ok(dark(rgba) > 500, 'white letters are read on white');
});

test('[C60, R14] characters that no font has, and texts that are cut, give warnings', async () => {
  const { warnings } = await painted({ subtext: '\u{1fbff}', text: 'a'.repeat(600) });
  assert.deepEqual(
    warnings.map(({ path, code }) => `${path} ${code}`),
    ['/timeline_data/titles/0/text paint.text_cut', '/timeline_data/titles/0/subtext paint.glyph_missing'],
  );
});
