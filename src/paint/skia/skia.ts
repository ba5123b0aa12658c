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
  return { bitmap, context: bitmap.getContext('2d') satisfies Canvas2D, pixels: () => bitmap.data() };
}

/** Measures in our fonts. Whatever is drawn has been measured before, in the same face: its fonts are there by then. */
export function createSkiaMeasure(): MeasureText {
  const measure = measureWith(createSkiaSurface(1, 1).context);
  return (text, face) => {
    registerFonts(face.names);
    return measure(text, face);
  };
}

const registered = new Set<string>();

/** Makes families of ours known to Skia, each once a process. */
export function registerFonts(names: readonly string[]): void {
  for (const name of names) {
    if (registered.has(name)) continue;
    const path = FONT_FILES.find(({ family }) => family === name)?.path;
    if (path === undefined || GlobalFonts.registerFromPath(path, name) === null) {
      throw new Error(`the font of ${name} cannot be read`);
    }
    registered.add(name);
  }
}
