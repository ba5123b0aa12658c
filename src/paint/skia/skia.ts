import './no-system-fonts.ts';
import { createCanvas, GlobalFonts, type Canvas as SkiaCanvas } from '@napi-rs/canvas';
import type { Canvas2D, Surface } from '../canvas-2d.ts';
import { type MeasureText, measureWith } from '../layout/text-measure.ts';
import { FONT_FILES } from './font-files.ts';

/** A surface that can be written to a picture file. */
export interface SkiaSurface extends Surface {
  readonly bitmap: SkiaCanvas;
}

/** An empty surface on Skia. */
export function createSkiaSurface(width: number, height: number): SkiaSurface {
  const bitmap = createCanvas(width, height);
  return { bitmap, context: bitmap.getContext('2d') satisfies Canvas2D };
}

/** Measures in our fonts. */
export function createSkiaMeasure(): MeasureText {
  registerFonts();
  return measureWith(createSkiaSurface(1, 1).context);
}

let registered = false;

/** Makes our families known to Skia, once a process. */
export function registerFonts(): void {
  if (registered) return;
  for (const { family, path } of FONT_FILES) {
    if (GlobalFonts.registerFromPath(path, family) === null) throw new Error(`the font of ${family} cannot be read`);
  }
  registered = true;
}
