import type { Bitmap, Canvas2D } from '../canvas-2d.ts';
import type { TextBlock } from '../layout/text-block.ts';
import { mixed, type Rgb, rgba } from './color.ts';
import { drawText } from './draw-text.ts';

/** What is on a card: a picture as large as the card (with its name in it, where there is room) or a name alone. (R12) */
export interface CardArt {
  readonly picture: Bitmap | null;
  readonly words: TextBlock | null;
  /** The colour of the row the item is in. */
  readonly tint: Rgb;
}

const CARD_GROUND: Rgb = [36, 40, 52];
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** Draws a card of `sidePx` with its corner at the origin. */
export function drawCard(context: Canvas2D, art: CardArt, sidePx: number, radiusPx: number): void {
  context.save();
  context.beginPath();
  context.roundRect(0, 0, sidePx, sidePx, radiusPx);
  context.clip();
  if (art.picture === null) drawNameCard(context, art, sidePx);
  else drawPictureCard(context, art.picture, art.words, sidePx);
  context.restore();
  // A hairline holds the shape where a picture is as dark as the board.
  const line = Math.max(1, sidePx * 0.008);
  context.beginPath();
  context.roundRect(line / 2, line / 2, sidePx - line, sidePx - line, Math.max(0, radiusPx - line / 2));
  context.strokeStyle = 'rgba(255, 255, 255, 0.13)';
  context.lineWidth = line;
  context.stroke();
}

function drawPictureCard(context: Canvas2D, picture: Bitmap, caption: TextBlock | null, sidePx: number): void {
  // Barely there: pictures with holes in them keep the card's shape, opaque ones hide it.
  context.fillStyle = 'rgba(255, 255, 255, 0.08)';
  context.fillRect(0, 0, sidePx, sidePx);
  context.drawImage(picture, 0, 0, sidePx, sidePx);
  if (caption === null) return;
  const inset = sidePx * 0.05;
  const top = sidePx - inset - caption.heightPx;
  const shade = context.createLinearGradient(0, top - sidePx * 0.2, 0, sidePx);
  shade.addColorStop(0, 'rgba(8, 9, 12, 0)');
  shade.addColorStop(0.45, 'rgba(8, 9, 12, 0.62)');
  shade.addColorStop(1, 'rgba(8, 9, 12, 0.88)');
  context.fillStyle = shade;
  context.fillRect(0, top - sidePx * 0.2, sidePx, sidePx - top + sidePx * 0.2);
  context.fillStyle = '#ffffff';
  drawText(context, caption, 0, top, sidePx, 'center');
}

function drawNameCard(context: Canvas2D, { words, tint }: CardArt, sidePx: number): void {
  const ground = mixed(CARD_GROUND, tint, 0.2);
  const shade = context.createLinearGradient(0, 0, 0, sidePx);
  shade.addColorStop(0, rgba(mixed(ground, WHITE, 0.08), 1));
  shade.addColorStop(1, rgba(mixed(ground, BLACK, 0.22), 1));
  context.fillStyle = shade;
  context.fillRect(0, 0, sidePx, sidePx);
  const bar = Math.max(1, Math.round(sidePx * 0.035));
  context.fillStyle = rgba(tint, 1);
  context.fillRect(0, sidePx - bar, sidePx, bar);
  if (words === null) return;
  context.fillStyle = '#ffffff';
  drawText(context, words, 0, (sidePx - bar - words.heightPx) / 2, sidePx, 'center');
}
