import '../../src/paint/skia/no-system-fonts.ts';
import { createCanvas } from '@napi-rs/canvas';
import { drawOn } from './surface.ts';

/** Imported for its effect: everything is drawn with Skia. */
drawOn((width, height) => {
  const canvas = createCanvas(width, height);
  return { canvas, context: canvas.getContext('2d') };
});
