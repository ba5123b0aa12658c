import type { LetterStyle } from '../../plan/theme/theme-look.ts';
import type { Box } from '../boxes.ts';
import type { Bitmap, Canvas2D, CreateSurface } from '../canvas-2d.ts';
import type { TextBlock } from '../layout/text/text-block.ts';
import { STAND_IN, TORN_EMOJI } from '../layout/text/text-measure.ts';
import { fontAt, spacingAt, spacingShift } from '../layout/text/typeface.ts';
import { rgba } from './color.ts';
import type { Inks } from './inks.ts';

/**
 * Draws a block whose box begins at `x`, `y` and is `width` wide; `align` sets the position of the lines in it. The
 * context sets the colour and everything else.
 */
export function drawText(
  context: Canvas2D,
  block: TextBlock,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'center' | 'right',
  how: 'fill' | 'stroke' = 'fill',
): void {
  context.font = fontAt(block.face, block.sizePx);
  context.letterSpacing = spacingAt(block.face, block.sizePx);
  context.textBaseline = 'alphabetic';
  const firstBaseline = y + (block.linePx + block.face.capEm * block.sizePx) / 2;
  block.lines.forEach((line, index) => {
    const baseline = firstBaseline + index * block.linePx;
    const free = width - line.width * block.sizePx;
    const shift = spacingShift(block.face, align) * block.sizePx;
    const left = x + shift + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
    context.direction = 'ltr';
    context.textAlign = 'left';
    if (drawJoined(context, line.text, left, baseline, block.sizePx, how)) return;
    context.direction = line.rightToLeft ? 'rtl' : 'ltr';
    context.textAlign = align;
    const at = shift + (align === 'left' ? x : align === 'right' ? x + width : x + width / 2);
    if (how === 'fill') context.fillText(line.text, at, baseline);
    else context.strokeText(line.text, at, baseline);
  });
  context.letterSpacing = '0px';
}

/**
 * Draws a line from left to right whose torn emoji come out whole: each is drawn after a placeholder that is clipped
 * away. Returns false, and draws nothing, if the line has none, or runs from right to left and must be ordered as a
 * whole.
 */
function drawJoined(
  context: Canvas2D,
  text: string,
  x: number,
  y: number,
  sizePx: number,
  how: 'fill' | 'stroke',
): boolean {
  const torn = [...text.matchAll(TORN_EMOJI)];
  if (torn.length === 0 || /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)) return false;
  const emojiWidth = context.measureText(STAND_IN).width;
  let at = x;
  let from = 0;
  const drawPlain = (part: string) => {
    if (how === 'fill') context.fillText(part, at, y);
    else context.strokeText(part, at, y);
    at += context.measureText(part).width;
  };
  for (const match of torn) {
    drawPlain(text.slice(from, match.index));
    // An outline would also cast the placeholder's shadow; a coloured picture needs no outline.
    if (how === 'fill') {
      context.save();
      context.beginPath();
      context.rect(at, y - 2 * sizePx, emojiWidth, 3 * sizePx);
      context.clip();
      context.fillText(STAND_IN + match[0], at - emojiWidth, y);
      context.restore();
    }
    at += emojiWidth;
    from = match.index + match[0].length;
  }
  drawPlain(text.slice(from));
  return true;
}

/** How far letters in a style reach beyond plain ones, in ems. */
function lettersReach({ outline, drops = [], glow }: LetterStyle): number {
  const far = Math.max(0, ...drops.flatMap(({ x, y }) => [Math.abs(x), Math.abs(y)]));
  return Math.max(far + (outline?.em ?? 0), (glow?.em ?? 0) * 2);
}

/** Draws a block in a style: glow, copies below, outline, letters. */
export function drawLetters(
  context: Canvas2D,
  block: TextBlock,
  { x, y, width }: Pick<Box, 'x' | 'y' | 'width'>,
  align: 'left' | 'center' | 'right',
  { ink, outline, drops = [], glow }: LetterStyle,
  inks: Inks,
): void {
  const { sizePx } = block;
  const put = (how: 'fill' | 'stroke', right = 0, down = 0) =>
    drawText(context, block, x + right * sizePx, y + down * sizePx, width, align, how);
  if (glow !== undefined) {
    context.save();
    context.shadowColor = rgba(inks.of(glow.ink), 0.9);
    context.shadowBlur = glow.em * sizePx;
    context.fillStyle = rgba(inks.of(glow.ink), 1);
    put('fill');
    context.shadowBlur = glow.em * sizePx * 0.4;
    put('fill');
    context.restore();
  }
  const edge = () => {
    if (outline === undefined) return;
    context.lineJoin = 'round';
    // Half of a stroke is under the letters.
    context.lineWidth = 2 * outline.em * sizePx;
    put('stroke');
  };
  for (const drop of drops) {
    context.fillStyle = rgba(inks.of(drop.ink), 1);
    put('fill', drop.x, drop.y);
    if (outline === undefined) continue;
    context.strokeStyle = rgba(inks.of(drop.ink), 1);
    context.lineJoin = 'round';
    context.lineWidth = 2 * outline.em * sizePx;
    put('stroke', drop.x, drop.y);
  }
  if (outline !== undefined) {
    context.strokeStyle = rgba(inks.of(outline.ink), 1);
    edge();
  }
  context.fillStyle = inks.fill(ink, 1, context, { y, height: block.heightPx });
  put('fill');
}

/** Larger ones, in windows many times the canvas, are drawn as text every time. */
const MAX_SPRITE_PX = 1024 * 1024;

/** Text as bitmaps: shaping it again for every frame of an animation is expensive. A block keeps its first style. */
export class TextSprites {
  readonly #createSurface: CreateSurface;
  readonly #sprites = new Map<TextBlock, Bitmap>();

  constructor(createSurface: CreateSurface) {
    this.#createSurface = createSurface;
  }

  /** Draws a block in its box; on whole pixels it is as sharp as text drawn directly. */
  draw(
    context: Canvas2D,
    block: TextBlock,
    box: Box,
    align: 'left' | 'center' | 'right',
    style: LetterStyle,
    inks: Inks,
  ): void {
    // Letters reach beyond their box: descenders, marks, swashes.
    const margin = Math.ceil(block.sizePx * (0.3 + lettersReach(style)));
    const [width, height] = [Math.ceil(box.width) + 2 * margin, Math.ceil(box.height) + 2 * margin];
    if (width * height > MAX_SPRITE_PX) {
      drawLetters(context, block, box, align, style, inks);
      return;
    }
    let sprite = this.#sprites.get(block);
    if (sprite === undefined) {
      const surface = this.#createSurface(width, height);
      drawLetters(surface.context, block, { x: margin, y: margin, width: box.width }, align, style, inks);
      sprite = surface.bitmap;
      this.#sprites.set(block, sprite);
    }
    context.imageSmoothingQuality = 'low';
    context.drawImage(sprite, box.x - margin, box.y - margin, width, height);
  }
}
