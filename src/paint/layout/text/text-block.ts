import { graphemesOf, isSyllableEnd } from './break-rules.ts';
import { BREAKS, LineBreaker, type TextLine } from './line-breaker.ts';
import type { MeasureText } from './text-measure.ts';
import { type Face, faceFor, type TextRole } from './typeface.ts';

/** Text that has been wrapped and sized; only its place is missing. */
export interface TextBlock {
  readonly lines: readonly TextLine[];
  readonly face: Face;
  readonly sizePx: number;
  readonly linePx: number;
  /** Of the widest line. */
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The room for a text. */
export interface TextRoom {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly maxPx: number;
  /** Below this, text is noise. */
  readonly minPx: number;
  readonly maxLines: number;
  /** Whether a text that does not fit at `minPx` may end in an ellipsis. */
  readonly mayCut: boolean;
  /** Whether a word may be broken where it is too long for a line at `minPx`, or only between its syllables. */
  readonly mayBreakWords: boolean | 'between syllables';
}

const LINE_EM = 1.2;
const SHRINK_STEP = 0.94;

/**
 * The largest setting of `text` that fits: wraps first, then shrinks, then breaks words between syllables, then anywhere, then cuts; null if not even
 * that is allowed or helps. (R11)
 */
export function fitText(text: string, role: TextRole, room: TextRoom, measure: MeasureText): TextBlock | null {
  const face = faceFor(text, role, measure.own);
  const lineEm = LINE_EM * face.tallness;
  if (text === '' || room.minPx * lineEm > room.heightPx || room.maxPx < room.minPx) return null;
  const breaker = new LineBreaker(text, face, measure);
  const sizes: number[] = [];
  for (let size = room.maxPx; size > room.minPx; size *= SHRINK_STEP) sizes.push(size);
  sizes.push(room.minPx);
  const fits = (lines: readonly TextLine[], size: number) =>
    lines.length <= room.maxLines && lines.length * size * lineEm <= room.heightPx;
  const { mayBreakWords } = room;
  const breaks = BREAKS.slice(0, mayBreakWords === true ? 3 : mayBreakWords === false ? 1 : 2);
  for (const mayBreak of breaks) {
    for (const size of sizes) {
      const { lines, broken } = breaker.wrapEvenly(room.widthPx / size, mayBreak);
      if (broken === mayBreak && fits(lines, size)) return blockOf(lines, face, size);
    }
  }
  if (!room.mayCut) return null;
  const { lines } = breaker.wrap(room.widthPx / room.minPx);
  const kept = Math.max(1, Math.min(room.maxLines, Math.floor(room.heightPx / (room.minPx * lineEm))));
  const cut = lines.slice(0, kept);
  if (lines.length > kept) cut.push(withEllipsis(cut.pop()!, room.widthPx / room.minPx, face, measure));
  return blockOf(cut, face, room.minPx);
}

/** A block of lines at a size. */
export function blockOf(lines: readonly TextLine[], face: Face, sizePx: number, lineEm = LINE_EM): TextBlock {
  const linePx = sizePx * lineEm * face.tallness;
  const widthPx = Math.max(0, ...lines.map((line) => line.width)) * sizePx;
  return { lines, face, sizePx, linePx, widthPx, heightPx: lines.length * linePx };
}

/** The same lines, this many times as large. */
export function scaledBlock(block: TextBlock, scale: number): TextBlock {
  const { sizePx, linePx, widthPx, heightPx } = block;
  const times = (px: number) => px * scale;
  return {
    ...block,
    sizePx: times(sizePx),
    linePx: times(linePx),
    widthPx: times(widthPx),
    heightPx: times(heightPx),
  };
}

function withEllipsis(line: TextLine, maxWidth: number, face: Face, measure: MeasureText): TextLine {
  // The ellipsis says that the word goes on.
  const graphemes = graphemesOf(line.text.replace(/[-\u2010]$/u, ''));
  for (;;) {
    const text = `${graphemes.join('').trimEnd()}…`;
    const width = measure(text, face);
    if (width <= maxWidth || graphemes.length === 0) return { ...line, text, width };
    // No half of a syllable is left standing.
    for (let next = graphemes.pop()!; ; next = graphemes.pop()!) {
      const last = graphemes.at(-1);
      if (last === undefined || isSyllableEnd(last, next, measure)) break;
    }
  }
}

/**
 * A user's text as it can be drawn: line ends are `\n`, other controls are spaces, text over `maxLength` ends in an
 * ellipsis.
 *
 * Bidi overrides are removed, because they can make a name read as something else. Marks and isolates stay, because
 * mixed text needs them.
 */
export function cleanText(text: string, maxLength: number): string {
  const cleaned = text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(/[\u202a-\u202e\u00ad\ufeff]/g, '')
    .replace(/(?!\n)\p{Cc}/gu, ' ');
  if (cleaned.length <= maxLength) return cleaned;
  return `${cleaned
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/** The same for a text of one paragraph: labels, names, titles. */
export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text, maxLength).replace(/\s+/gu, ' ').trim();
}
