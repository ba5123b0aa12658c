import type { Theme } from '../../../plan/model/theme.ts';
import type { Ink, Shade } from '../../../plan/theme/theme-look.ts';
import { lookOf } from '../../../plan/theme/theme-looks.ts';
import type { Box } from '../../boxes.ts';
import type { Canvas2D } from '../../canvas-2d.ts';
import type { SpotlightPlace } from '../../layout/spotlight-place.ts';
import { fitText, type TextBlock } from '../../layout/text/text-block.ts';
import type { MeasureText } from '../../layout/text/text-measure.ts';
import { inkOn, type Rgb, rgba } from '../color.ts';
import { Inks } from '../inks.ts';
import { drawPlate } from '../plates.ts';
import { drawLetters, drawText } from '../text-drawing.ts';

const UP: Rgb = [46, 204, 113];
const DOWN: Rgb = [235, 77, 75];

/** Name, score and note on the theme's plate, so that they read over anything. */
export function drawNote(
  context: Canvas2D,
  { box, texts }: NonNullable<SpotlightPlace['note']>,
  color: Rgb,
  theme: Theme,
): void {
  const { plate, letters } = lookOf(theme).note;
  const inks = new Inks(theme, color);
  const em = texts[0]!.block.sizePx / NOTE_EMS;
  drawPlate(context, plate, box, { em, radiusPx: 0 }, inks);
  const name = topOf(letters.ink);
  const ground = topOf(plate.fill ?? 'panel');
  const styles = {
    name: letters,
    score: { ...letters, ink: { legible: 'row', on: ground } },
    note: { ...letters, ink: [name, ground, 0.22] },
  } as const;
  for (const { what, block, box: place } of texts) {
    drawLetters(context, block, place, 'center', styles[what], inks);
  }
}

/** The first text of a note has so many of the board's ems. */
const NOTE_EMS = 1.8;

function topOf(ink: Ink | Shade): Ink {
  return typeof ink === 'object' && 'top' in ink ? ink.top : ink;
}

/** A row's label as its theme stamps it, as large as `box`. (R31) */
export function drawStamp(
  context: Canvas2D,
  { block, box: { width, height } }: NonNullable<SpotlightPlace['stamp']>,
  box: Box,
  color: Rgb,
  theme: Theme,
): void {
  const { plate, letters } = lookOf(theme).stamp;
  const inks = new Inks(theme, color);
  const scale = box.height / height;
  drawPlate(context, plate, box, { em: box.height, radiusPx: 0 }, inks);
  context.save();
  context.translate(box.x, box.y);
  context.scale(scale, scale);
  drawLetters(context, block, { x: 0, y: (height - block.heightPx) / 2, width }, 'center', letters, inks);
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
