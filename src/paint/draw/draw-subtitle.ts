import type { SubtitleLayer } from '../../plan/render-plan.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import type { SubtitleLayout } from '../layout/subtitle-layout.ts';
import { INK_DARK, INK_LIGHT, inkOn, rgba, rgbOf } from './color.ts';
import { drawText } from './draw-text.ts';

const OUTLINE_EM = 0.1;

/** Draws a subtitle where its layout says, on an empty context whose origin is the canvas's. */
export function drawSubtitle(context: Canvas2D, subtitle: SubtitleLayer, layout: SubtitleLayout): void {
  const { block, text, plate } = layout;
  if (plate !== null && subtitle.background !== null) {
    const { box, radiusPx } = plate;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, radiusPx);
    context.fillStyle = rgba(rgbOf(subtitle.background.color), subtitle.background.alpha);
    context.fill();
  } else {
    // White on white stays readable: a thin line in the opposite ink, and a soft shadow under it.
    const outline = inkOn(rgbOf(subtitle.color)) === INK_DARK ? INK_DARK : INK_LIGHT;
    context.save();
    context.strokeStyle = rgba(outline, 0.85);
    context.lineWidth = OUTLINE_EM * block.sizePx;
    context.lineJoin = 'round';
    context.shadowColor = rgba(outline, 0.55);
    context.shadowBlur = block.sizePx * 0.2;
    context.shadowOffsetY = block.sizePx * 0.04;
    drawText(context, block, text.x, text.y, text.width, subtitle.align, 'stroke');
    context.restore();
  }
  context.fillStyle = subtitle.color;
  drawText(context, block, text.x, text.y, text.width, subtitle.align);
}
