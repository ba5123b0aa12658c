import type { Theme } from '../../../plan/theme.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { Box } from '../../layout/box.ts';
import type { SpotlightPlace } from '../../layout/spotlight-place.ts';
import { fitText, type TextBlock } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { contrast, inkOn, mixed, type Rgb, rgba } from '../color.ts';
import { drawText } from '../draw-text.ts';
import { themeStyle } from '../theme-style.ts';

const WHITE: Rgb = [255, 255, 255];
const PLATE: Rgb = [10, 11, 16];
const UP: Rgb = [46, 204, 113];
const DOWN: Rgb = [235, 77, 75];

/** Name, score and note on a dark plate, so that they read over anything. */
export function drawNote(context: Canvas2D, { box, texts }: NonNullable<SpotlightPlace['note']>, color: Rgb): void {
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(box.height / 2, texts[0]!.block.sizePx * 0.7));
  context.fillStyle = rgba(PLATE, 0.82);
  context.fill();
  const inks = { name: WHITE, score: readable(color), note: mixed(WHITE, PLATE, 0.22) };
  for (const { what, block, box: place } of texts) {
    context.fillStyle = rgba(inks[what], 1);
    drawText(context, block, place.x, place.y, place.width, 'center');
  }
}

/** A row's label as its theme stamps it, as large as `box`. (R31) */
export function drawStamp(
  context: Canvas2D,
  { block, box: { width, height } }: NonNullable<SpotlightPlace['stamp']>,
  box: Box,
  color: Rgb,
  theme: Theme,
): void {
  const style = themeStyle(theme);
  const scale = box.height / height;
  style.drawStamp(context, box, color, theme);
  context.save();
  context.translate(box.x, box.y);
  context.scale(scale, scale);
  context.fillStyle = rgba(style.stampInk(color, theme), 1);
  drawText(context, block, 0, (height - block.heightPx) / 2, width, 'center');
  context.restore();
}

/** An arrow and by how many tiers: up where `tiers` is above 0. */
export function drawSign(
  context: Canvas2D,
  { measure }: { readonly measure: MeasureText },
  tiers: number,
  box: Box,
): void {
  const color = tiers > 0 ? UP : DOWN;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, box.height / 2);
  context.fillStyle = rgba(color, 1);
  context.fill();
  context.strokeStyle = 'rgba(255, 255, 255, 0.9)';
  context.lineWidth = Math.max(1, box.height * 0.06);
  context.stroke();
  const ink = rgba(inkOn(color), 1);
  context.fillStyle = ink;
  drawArrow(context, tiers > 0, {
    x: box.x + box.height * 0.32,
    y: box.y + box.height * 0.28,
    width: box.height * 0.5,
    height: box.height * 0.44,
  });
  const count = countBlock(String(Math.abs(tiers)), box.height * 0.66, measure);
  if (count === null) return;
  const left = box.x + box.height * 0.8;
  context.fillStyle = ink;
  drawText(
    context,
    count,
    left,
    box.y + (box.height - count.heightPx) / 2,
    box.x + box.width - left - box.height * 0.18,
    'center',
  );
}

function drawArrow(context: Canvas2D, up: boolean, { x, y, width, height }: Box): void {
  const [tip, foot] = up ? [y, y + height] : [y + height, y];
  context.beginPath();
  context.moveTo(x + width / 2, tip);
  context.lineTo(x + width, foot);
  context.lineTo(x, foot);
  context.closePath();
  context.fill();
}

function countBlock(text: string, sizePx: number, measure: MeasureText): TextBlock | null {
  const room = { widthPx: sizePx * 1.2, heightPx: sizePx * 1.3, maxPx: sizePx, minPx: sizePx * 0.3, maxLines: 1 };
  return fitText(text, 'display', { ...room, mayCut: false, mayBreakWords: false }, measure);
}

/** The colour, as much lighter as it takes to be read on the plate. */
function readable(color: Rgb): Rgb {
  for (let lighter = 0; lighter < 1; lighter += 0.1) {
    const ink = mixed(color, WHITE, lighter);
    if (contrast(ink, PLATE) >= 6) return ink;
  }
  return WHITE;
}
