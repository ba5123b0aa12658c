import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutTitle } from '../../src/paint/layout/text/title-layout.ts';
import { createSkiaMeasure } from '../../src/paint/skia/skia.ts';
import { SkiaOverlayPainter } from '../../src/paint/skia/skia-overlay-painter.ts';
import { frames } from '../../src/time.ts';
import { plan } from '../request-builder.ts';

function layerOf(title: object, preset?: string, settings: object = {}) {
  const titles = [{ text: 'Round two', start: 0, duration: 2, ...title }];
  const made = plan({ tier_list: {}, timeline_data: { titles }, settings }, {}, preset);
  return { made, layer: made.painted.title[0]! };
}

async function painted(title: object, settings: object = {}) {
  const { made, layer } = layerOf(title, undefined, settings);
  const painter = await SkiaOverlayPainter.create({ plan: made, files: new Map() });
  return { ...painter.paint('title', layer, frames(30))!.still, warnings: painter.warnings };
}

test('[C60] a card fills the canvas with the panel colour of its theme', async () => {
  const { rect, rgba } = await painted({ kind: 'card' }, { theme: 'paper' });
  assert.deepEqual(rect, { x: 0, y: 0, width: 1920, height: 1080 });
  assert.deepEqual([...rgba.subarray(0, 4)], [0xf6, 0xf1, 0xe7, 255]);
});

test('[C60] a plate is as large as its text, and is placed in its box by its alignment', () => {
  const measure = createSkiaMeasure();
  const places = (['left', 'center', 'right'] as const).map((align) => {
    const { layer } = layerOf({ align });
    return { box: layer.textRect, plate: layoutTitle(layer, 0.5, measure)!.plate };
  });
  const [left, , right] = places;
  assert.equal(left!.plate.x, left!.box.x);
  assert.ok(Math.abs(right!.plate.x + right!.plate.width - right!.box.x - right!.box.width) < 0.01);
  for (const { box, plate } of places) assert.ok(plate.width < box.width / 2 && plate.y === box.y);
});

test('[C60, R31] a title shrinks to 75 % before it takes a second line, and stays in its box', () => {
  const measure = createSkiaMeasure();
  const sets = [
    'Ranked',
    'Every snack of my life, ranked',
    'Every single snack that I have ever eaten in all of my life, ranked',
  ].map((text) => {
    const { layer } = layerOf({ kind: 'card', text, subtext: 'From S to F' });
    const { lines } = layoutTitle(layer, 0.5, measure)!;
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
    [false, false, true],
  );
  assert.equal(sets[0]!.share, 1);
  assert.ok(sets[1]!.share < 1 && sets[1]!.share >= 0.75, `${sets[1]!.share}`);
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
