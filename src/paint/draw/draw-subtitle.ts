import type { SubtitleLayer } from '../../plan/layers/painted-layers.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import type { Box } from '../layout/box.ts';
import type { SubtitleLayout } from '../layout/text/subtitle-layout.ts';
import { inkOn, litInk, mixed, rgba, rgbOf } from './color.ts';
import { drawText } from './draw-text.ts';

const OUTLINE_EM = 0.1;

/** Words that are spoken one by one: their places, and how many have begun. */
interface Spoken {
  readonly boxes: readonly (Box | null)[];
  readonly count: number;
}

/** Opacity of words that are not spoken yet. */
const WAITING = 0.4;

/** Draws a subtitle at the place of its layout, on an empty context whose origin is the canvas's. */
export function drawSubtitle(
  context: Canvas2D,
  subtitle: SubtitleLayer,
  layout: SubtitleLayout,
  spoken: Spoken | null = null,
): void {
  const { block, text, plate } = layout;
  const color = rgbOf(subtitle.color);
  // White on white stays readable: a thin line in the opposite ink, and a soft shadow under it.
  const outline = inkOn(color);
  if (plate !== null && subtitle.background !== null) {
    const { box, radiusPx } = plate;
    context.beginPath();
    context.roundRect(box.x, box.y, box.width, box.height, radiusPx);
    context.fillStyle = rgba(rgbOf(subtitle.background.color), subtitle.background.alpha);
    context.fill();
  } else {
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
  const fill = (ink: string) => {
    context.fillStyle = ink;
    drawText(context, block, text.x, text.y, text.width, subtitle.align);
  };
  if (spoken === null) {
    fill(subtitle.color);
    return;
  }
  // Opaque, or the outline would show through.
  fill(rgba(mixed(color, outline, WAITING), 1));
  const lit = litInk(
    color,
    plate !== null && subtitle.background !== null ? rgbOf(subtitle.background.color) : outline,
  );
  for (const [index, box] of spoken.boxes.slice(0, spoken.count).entries()) {
    if (box === null) continue;
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    // Draws the whole line, clipped to the word: letters keep their forms from their neighbours.
    fill(rgba(index === spoken.count - 1 ? lit : color, 1));
    context.restore();
  }
}
