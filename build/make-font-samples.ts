import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LISTED_FONTS } from '../src/paint/fonts/web-fonts.ts';
import { faceFor, fontAt } from '../src/paint/layout/text/typeface.ts';
import { createSkiaMeasure, createSkiaSurface } from '../src/paint/skia/skia.ts';
import { planFont } from '../src/plan/model/fonts.ts';
import { MediaTable } from '../src/plan/place/plan-context.ts';

/**
 * `node build/make-font-samples.ts`: a picture of each family that a request can name: its name in black on a
 * transparent background. (C63)
 */

const FOLDER = join(import.meta.dirname, '..', 'src', 'http', 'pages', 'font-samples');
const HEIGHT = 64;
const CAPS_PX = 26;

mkdirSync(FOLDER, { recursive: true });
for (const { name, sample } of LISTED_FONTS) {
  const face = faceFor(name, 'display', planFont(name, new MediaTable(new Map())));
  const sizePx = CAPS_PX / face.capEm;
  const width = Math.ceil(createSkiaMeasure()(name, face) * sizePx) + 16;
  const { bitmap } = createSkiaSurface(width, HEIGHT);
  const context = bitmap.getContext('2d');
  context.font = fontAt(face, sizePx);
  context.fillText(name, 8, (HEIGHT + CAPS_PX) / 2);
  writeFileSync(join(FOLDER, sample), await bitmap.encode('png'));
}
