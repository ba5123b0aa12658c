import type { SubtitleLayer } from '../../../plan/model/painted-layers.ts';
import { around, type Box, grown } from '../../boxes.ts';
import { LineBreaker } from './line-breaker.ts';
import { blockOf, cleanText, type TextBlock } from './text-block.ts';
import type { MeasureText } from './text-measure.ts';
import { faceFor, spacingShift } from './typeface.ts';

/** A subtitle set and placed, in the canvas's pixels. */
export interface SubtitleLayout {
  readonly block: TextBlock;
  /** The box of the lines: as wide as their room, as tall as they are. */
  readonly text: Box;
  /** The plate behind the lines, or null. */
  readonly plate: { readonly box: Box; readonly radiusPx: number } | null;
  /** Everything that is drawn is inside it. */
  readonly bounds: Box;
}

/** More than fits any canvas at any size; a text beyond it would only cost time. */
export const SUBTITLE_LENGTH = 4000;

const LINE_EM = 1.28;
const SMALLEST = 0.6;
const SHRINK_STEPS = 16;
const PLATE_EM = { x: 0.5, y: 0.22 };
/** How much larger a word is while it is spoken, in a style in which words grow. (C62) */
export const LIT_SCALE = 1.12;
/** How far outline and shadow reach beyond the letters. */
const GLOW_EM = 0.4;

/**
 * Lays out a subtitle: the largest size, down to 60 %, at which it fits its box, preferably without a broken word. If
 * it is still too tall, it grows upward from the foot of the box, where every subtitle is aligned. (R14)
 */
export function layoutSubtitle(subtitle: SubtitleLayer, measure: MeasureText): SubtitleLayout | null {
  const text = cleanText(subtitle.text, SUBTITLE_LENGTH).replace(/^\n+/, '').trimEnd();
  if (text === '') return null;
  const plated = subtitle.background !== null && subtitle.background.alpha > 0;
  const { rect } = subtitle;
  const { letters } = subtitle;
  const { role, font } = letters ?? { role: 'strong', font: measure.own };
  const face = faceFor(text, role, font, subtitle.letterSpacing);
  const breaker = new LineBreaker(text, face, measure);
  const settings = Array.from({ length: SHRINK_STEPS + 1 }, (_, step) => {
    const sizePx = subtitle.sizePx * (1 - ((1 - SMALLEST) * step) / SHRINK_STEPS);
    return { sizePx, widthPx: Math.max(1, rect.width - 2 * insetX(sizePx, plated)) };
  });
  const set = ({ sizePx, widthPx }: { sizePx: number; widthPx: number }) => {
    const { lines, broken } = breaker.wrapEvenly(widthPx / sizePx);
    const block = blockOf(lines, face, sizePx, LINE_EM);
    return { block, broken, fits: block.heightPx + 2 * insetY(sizePx, plated) <= rect.height };
  };
  let chosen: TextBlock | null = null;
  for (const setting of settings) {
    const { block, broken, fits } = set(setting);
    if (!fits) continue;
    if (!broken) return place(block, subtitle, plated);
    chosen ??= block;
  }
  return place(chosen ?? set(settings.at(-1)!).block, subtitle, plated);
}

function place(block: TextBlock, subtitle: SubtitleLayer, plated: boolean): SubtitleLayout {
  const { rect, align } = subtitle;
  const { sizePx } = block;
  const [padX, padY] = [insetX(sizePx, plated), insetY(sizePx, plated)];
  const text = {
    x: rect.x + padX,
    y: rect.y + rect.height - padY - block.heightPx,
    width: rect.width - 2 * padX,
    height: block.heightPx,
  };
  const free = text.width - block.widthPx;
  const left = text.x + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
  const inked = inkedBox({ ...text, x: left, width: block.widthPx }, sizePx, subtitle);
  if (!plated) return { block, text, plate: null, bounds: inked };
  const box = {
    x: left - padX,
    y: text.y - padY,
    width: block.widthPx + 2 * padX,
    height: block.heightPx + 2 * padY,
  };
  const bounds = subtitle.look === null ? box : around([box, inked]);
  return { block, text, plate: { box, radiusPx: sizePx * 0.28 }, bounds };
}

/** The area that lines may paint: outline and shadow extend beyond the letters, and a growing word beyond its place. */
function inkedBox(lines: Box, sizePx: number, { look }: SubtitleLayer): Box {
  const glow = Math.max(GLOW_EM, look?.outline.em ?? 0) * sizePx;
  const { x, y, width, height } = grown(lines, glow);
  const grows = look?.highlight === 'scale' ? ((LIT_SCALE - 1) / 2) * lines.width : 0;
  return { x: x - grows, y, width: width + 2 * grows, height };
}

function insetX(sizePx: number, plated: boolean): number {
  return plated ? PLATE_EM.x * sizePx : 0;
}

function insetY(sizePx: number, plated: boolean): number {
  return plated ? PLATE_EM.y * sizePx : 0;
}

/**
 * The box of each spoken word of a subtitle, as tall as its line; null for a word that is not found as a whole, as when
 * it was broken between two lines. (C43)
 */
export function wordBoxes(
  { text, words, align }: Pick<SubtitleLayer, 'text' | 'words' | 'align'>,
  { block, text: room }: SubtitleLayout,
  measure: MeasureText,
): (Box | null)[] {
  const { lines, face, sizePx, linePx } = block;
  const widthOf = (part: string) => (part === '' ? 0 : measure(part, face) * sizePx);
  let line = 0;
  let from = 0;
  return words.map((word) => {
    const spoken = cleanText(text.slice(word.from, word.to), word.to - word.from).trim();
    if (spoken === '') return null;
    for (let index = line; index < lines.length; index += 1) {
      const at = lines[index]!.text.indexOf(spoken, index === line ? from : 0);
      if (at < 0) continue;
      line = index;
      from = at + spoken.length;
      const { text: whole, width, rightToLeft } = lines[index]!;
      const free = room.width - width * sizePx;
      const shift = spacingShift(face, align) * sizePx;
      const left = room.x + shift + (align === 'left' ? 0 : align === 'right' ? free : free / 2);
      const [begin, end] = [widthOf(whole.slice(0, at)), widthOf(whole.slice(0, from))];
      const x = rightToLeft ? left + width * sizePx - end : left + begin;
      return { x, y: room.y + index * linePx, width: end - begin, height: linePx };
    }
    return null;
  });
}
