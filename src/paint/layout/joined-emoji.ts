import type { Canvas2D } from '../canvas-2d.ts';

/**
 * Emoji Skia's binding tears apart: a character that is text by default, joined to one that is emoji by default, is cut
 * into two runs before the font can join them, unless an emoji stands before it. These four are all there are.
 */
const TORN = /❤\ufe0f?\u200d[🔥🩹]|🏳\ufe0f?\u200d🌈|⛓\ufe0f?\u200d💥/gu;

/** An emoji like any other in width. */
const STAND_IN = '🟦';

/** The text with every torn emoji replaced by one of the same width: what to measure. */
export function measurable(text: string): string {
  return text.replace(TORN, STAND_IN);
}

/**
 * Draws a line from left to right whose torn emoji come out whole: each is drawn behind a stand-in that is clipped away.
 * False, and nothing drawn, where the line has none, or runs from right to left and must be ordered as a whole.
 */
export function drawJoined(
  context: Canvas2D,
  text: string,
  x: number,
  y: number,
  sizePx: number,
  how: 'fill' | 'stroke',
): boolean {
  const torn = [...text.matchAll(TORN)];
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
    // An outline's shadow would fall from the stand-in, too; a coloured picture needs none.
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
