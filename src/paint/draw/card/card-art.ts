import type { Bitmap, Canvas2D } from '../../canvas-2d.ts';
import type { TextBlock } from '../../layout/text/text-block.ts';
import { inkOn, mixed, type Rgb, rgba } from '../color.ts';
import { drawText } from '../draw-text.ts';
import type { PictureSize } from './fit-picture.ts';

/** The content of a card: a picture, with its name at the card's foot if there is room, or a name alone. (R12, C46) */
interface CardArt {
  /** As large as the card without its foot; `ground` is the colour behind its transparent parts. */
  readonly picture: { readonly bitmap: Bitmap; readonly ground: Rgb } | null;
  readonly words: TextBlock | null;
  /** How tall the foot is. */
  readonly namePx: number;
  /** The colour of the row the item is in. */
  readonly tint: Rgb;
}

/** The colours of a theme that cards are drawn in. */
export interface CardColors {
  readonly card: Rgb;
  readonly text: Rgb;
  readonly line: Rgb;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Draws a card of that size with its corner at the origin. */
export function drawCard(
  context: Canvas2D,
  art: CardArt,
  size: PictureSize,
  radiusPx: number,
  colors: CardColors,
): void {
  const { width, height } = size;
  context.save();
  context.beginPath();
  context.roundRect(0, 0, width, height, radiusPx);
  context.clip();
  if (art.picture === null) drawNameCard(context, art, size, colors);
  else drawPictureCard(context, art.picture, art, size, colors);
  context.restore();
  // A hairline keeps the outline visible if a picture is as dark as the board.
  const line = Math.max(1, Math.min(width, height) * 0.008);
  context.beginPath();
  context.roundRect(line / 2, line / 2, width - line, height - line, Math.max(0, radiusPx - line / 2));
  context.strokeStyle = rgba(mixed(colors.card, inkOn(colors.card), 0.5), 0.28);
  context.lineWidth = line;
  context.stroke();
}

function drawPictureCard(
  context: Canvas2D,
  { bitmap, ground }: NonNullable<CardArt['picture']>,
  { words, namePx }: CardArt,
  { width, height }: PictureSize,
  { card, text }: CardColors,
): void {
  const foot = height - namePx;
  context.fillStyle = rgba(ground, 1);
  context.fillRect(0, 0, width, foot);
  context.drawImage(bitmap, 0, 0, width, foot);
  if (namePx === 0) return;
  context.fillStyle = rgba(card, 1);
  context.fillRect(0, foot, width, namePx);
  if (words === null) return;
  context.fillStyle = rgba(text, 1);
  drawText(context, words, 0, foot + (namePx - words.heightPx) / 2, width, 'center');
}

function drawNameCard(
  context: Canvas2D,
  { words, tint }: CardArt,
  { width, height }: PictureSize,
  { card, text }: CardColors,
): void {
  const ground = mixed(card, tint, 0.18);
  const shade = context.createLinearGradient(0, 0, 0, height);
  shade.addColorStop(0, rgba(mixed(ground, WHITE, 0.06), 1));
  shade.addColorStop(1, rgba(mixed(ground, BLACK, 0.12), 1));
  context.fillStyle = shade;
  context.fillRect(0, 0, width, height);
  const bar = Math.max(1, Math.round(Math.min(width, height) * 0.035));
  context.fillStyle = rgba(tint, 1);
  context.fillRect(0, height - bar, width, bar);
  if (words === null) return;
  context.fillStyle = rgba(text, 1);
  drawText(context, words, 0, (height - bar - words.heightPx) / 2, width, 'center');
}
