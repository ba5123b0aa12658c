import type { Canvas2D } from '../canvas-2d.ts';
import { STAND_IN, TORN_EMOJI } from '../layout/text/joined-emoji.ts';
import type { TextBlock } from '../layout/text/text-block.ts';
import { fontAt } from '../layout/text/typeface.ts';

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
  context.textBaseline = 'alphabetic';
  const firstBaseline = y + (block.linePx + block.face.capEm * block.sizePx) / 2;
  block.lines.forEach((line, index) => {
    const baseline = firstBaseline + index * block.linePx;
    const free = width - line.width * block.sizePx;
    const left = x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
    context.direction = 'ltr';
    context.textAlign = 'left';
    if (drawJoined(context, line.text, left, baseline, block.sizePx, how)) return;
    context.direction = line.rightToLeft ? 'rtl' : 'ltr';
    context.textAlign = align;
    const at = align === 'left' ? x : align === 'right' ? x + width : x + width / 2;
    if (how === 'fill') context.fillText(line.text, at, baseline);
    else context.strokeText(line.text, at, baseline);
  });
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
