import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFontCoverage } from '../../../src/paint/fonts/font-coverage.ts';
import { FONT_FILES } from '../../../src/paint/fonts/font-files.ts';
import { missingGlyphs } from '../../../src/paint/layout/text/glyph-coverage.ts';
import { faceFor } from '../../../src/paint/layout/text/typeface.ts';
import { createSkiaMeasure } from '../../../src/paint/skia/skia.ts';
import { SkiaPainter } from '../../../src/paint/skia/skia-painter.ts';
import { nearestWeight, planFont, SHIPPED_FONTS, SHIPPED_NAMES } from '../../../src/plan/model/fonts.ts';
import { MediaTable } from '../../../src/plan/place/plan-context.ts';
import { frames } from '../../../src/time.ts';
import { samplePlan, sampleSubtitle } from '../sample-plan.ts';

const NO_UPLOADS = new MediaTable(new Map());

test('[C63] every weight of every family ships as a complete font with its licence, and declares the same weight', () => {
  const cuts = FONT_FILES.filter(({ isNamed }) => isNamed);
  const weights = SHIPPED_NAMES.filter((name) => name !== 'Noto Sans').flatMap((name) => SHIPPED_FONTS[name].weights);
  assert.equal(cuts.length, weights.length);
  for (const [index, { path, family }] of cuts.entries()) {
    const { weight, capEm } = tablesOf(path);
    assert.equal(weight, weights[index], family);
    const shipped = SHIPPED_NAMES.find((name) => family === `Tiercut ${name} ${weight}`)!;
    assert.ok(Math.abs(capEm - SHIPPED_FONTS[shipped].capEm) < 0.01, `${family}: capitals are ${capEm} em tall`);
    const latin = 'ABCXYZabcxyz0189 ÄÖÜäöüßÀÉÎÕÚàéîõúçñøåæœłžčšığşİ“”‘’–—…€¿¡';
    assert.deepEqual(
      missingGlyphs(latin, () => readFontCoverage(path)),
      [],
      family,
    );
    const licence = readFileSync(join(path, '..', '..', 'LICENSE_FONT'), 'utf8');
    assert.match(licence, /SIL OPEN FONT LICENSE Version 1\.1/i, family);
  }
});

test('[C63] a text gets the nearest weight of its family, and the heavier of two', () => {
  assert.equal(nearestWeight('Montserrat', 800), 800);
  assert.equal(nearestWeight('Montserrat', 500), 600);
  assert.equal(nearestWeight('Inter', 1000), 900);
  assert.equal(nearestWeight('Anton', 800), 400);
});

test('[C63] boards and subtitles use a named font; missing characters use the shipped fonts', async () => {
  const canvas = { width: 640, height: 360 };
  const plain = samplePlan(canvas, null, [sampleSubtitle('Waffles 华夫饼', canvas)]);
  const widths: number[] = [];
  for (const name of [null, 'Anton', 'Playfair Display'] as const) {
    const plan = { ...plain, theme: { ...plain.theme, font: planFont(name, NO_UPLOADS) } };
    const painter = await SkiaPainter.create({ plan, files: new Map() });
    widths.push(painter.paint('subtitle', plan.painted.subtitle[0]!, frames(1))!.still.rect.width);
    assert.deepEqual(painter.warnings, []);
  }
  assert.equal(new Set(widths).size, 3, `each is as wide as its letters: ${widths}`);
  const chinese = (name: 'Anton' | null) => {
    const face = faceFor('华夫饼', 'strong', planFont(name, NO_UPLOADS));
    return createSkiaMeasure()('华夫饼', face);
  };
  assert.equal(chinese('Anton'), chinese(null));
});

/** What a font says of itself in its OS/2 table. */
function tablesOf(path: string): { weight: number; capEm: number } {
  const bytes = readFileSync(path);
  const table = (name: string) => {
    for (let entry = 12; ; entry += 16) {
      if (bytes.toString('latin1', entry, entry + 4) === name) return bytes.readUInt32BE(entry + 8);
    }
  };
  const os2 = table('OS/2');
  const unitsPerEm = bytes.readUInt16BE(table('head') + 18);
  return { weight: bytes.readUInt16BE(os2 + 4), capEm: bytes.readInt16BE(os2 + 88) / unitsPerEm };
}
