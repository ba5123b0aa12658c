import { graphemesOf, isSyllableEnd } from './text/break-rules.ts';
import { fitText, scaledBlock, type TextBlock, type TextRoom } from './text/text-block.ts';
import type { MeasureText } from './text/text-measure.ts';

/** On a wide card, a name that is cut says enough; elsewhere its initials are clearer. */
const WIDE_CARD = 1.4;

/** The largest letters on a card without a picture, against its sides: names of a board are of about one size, and one that is held up is larger. */
const LARGEST_ON_BOARD = { tall: 0.42, wide: 0.16 };
export const LARGEST_HELD_UP = { tall: 0.42, wide: 0.24 };

/** The name on a card without a picture: whole if it fits, else cut where lines are long, else its initials, else empty. No letter is smaller than `minPx`. */
export function nameOnCard(
  name: string,
  size: Size,
  minPx: number,
  measure: MeasureText,
  largest = LARGEST_ON_BOARD,
): TextBlock | null {
  const sidePx = Math.min(size.width, size.height);
  const room = { widthPx: size.width * 0.88, heightPx: size.height * 0.82, minPx, maxLines: 5, mayCut: false };
  const maxPx = Math.max(minPx, sidePx * 0.21, Math.min(size.height * largest.tall, size.width * largest.wide));
  const initials = initialsOf(name, measure);
  // On a small card initials are clearer than a broken name; a single initial is not, unless the parts would be a few
  // letters.
  const mayBreakWords = sidePx > minPx * (name.trim().includes(' ') ? 6 : 3);
  const mayCut = size.width >= WIDE_CARD * size.height && sidePx > minPx * 2;
  const whole = largeName(name, { ...room, maxPx, mayCut, mayBreakWords }, measure);
  if (whole !== null) return whole;
  return fitText(initials, 'display', { ...room, maxPx: sidePx * 0.4, maxLines: 1, mayBreakWords: false }, measure);
}

/** How tall a name's only line may be, against the room for it. */
const NAME_LINE = 0.62;

/** The name under a picture, in a strip of that size: in one line where that can be read, else in two, else cut. (R31) */
export function nameUnderPicture(name: string, strip: Size, minPx: number, measure: MeasureText): TextBlock | null {
  const room = {
    widthPx: strip.width * 0.95,
    heightPx: strip.height * 0.97,
    maxPx: Math.max(minPx, strip.height * NAME_LINE),
    minPx: Math.max(minPx, strip.height * 0.36),
    maxLines: 2,
    mayCut: true,
    mayBreakWords: true,
  };
  return fitText(name, 'text', room, measure);
}

/** How tall a name beside its picture may be, against its card and the usual one: those of a board are of about one size. */
const BESIDE_LINE = 0.4;
const BESIDE_RANGE = 1.3;

/** The name beside a picture, in a room of that size: in up to three lines, and smaller than usual, before it is cut. (R43) */
export function nameBesidePicture(
  name: string,
  { width, height }: Size,
  px: { readonly min: number; readonly usual: number },
  measure: MeasureText,
): TextBlock | null {
  const room = {
    widthPx: width,
    heightPx: height * 0.94,
    maxPx: Math.max(px.min, Math.min(height * BESIDE_LINE, px.usual * BESIDE_RANGE)),
    minPx: px.min,
    maxLines: 3,
  };
  return largeName(name, { ...room, mayCut: true, mayBreakWords: true }, measure);
}

/**
 * The name of a card that is `scale` times as large as in its slot: in the same lines, unless they are incomplete.
 * (R31)
 */
export function sameLines(name: string, inSlot: TextBlock | null, scale: number): TextBlock | null {
  const letters = (text: string) => text.replaceAll(/[\s\u00ad\u2010-]/gu, '');
  const says = letters(inSlot?.lines.map(({ text }) => text).join('') ?? '');
  return inSlot === null || says !== letters(name) ? null : scaledBlock(inSlot, scale);
}

/** A name is broken between syllables before it is smaller than this share of the largest. */
const BROKEN_NAME = 0.62;

function largeName(name: string, room: TextRoom, measure: MeasureText): TextBlock | null {
  const large = { ...room, minPx: Math.max(room.minPx, room.maxPx * BROKEN_NAME), mayCut: false };
  const broken = room.mayBreakWords && fitText(name, 'text', { ...large, mayBreakWords: 'between syllables' }, measure);
  return broken || fitText(name, 'text', room, measure);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Up to two first letters, as on a badge. */
function initialsOf(name: string, measure: MeasureText): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => firstLetterOf(word, measure).toLocaleUpperCase('en'))
    .join('');
}

/**
 * The letter with everything that belongs to it: in Thai a vowel may come before its letter, and is meaningless alone.
 */
function firstLetterOf(word: string, measure: MeasureText): string {
  const graphemes = graphemesOf(word);
  const ends = (grapheme: string, at: number) => at > 0 && isSyllableEnd(graphemes[at - 1]!, grapheme, measure);
  const end = graphemes.findIndex(ends);
  return graphemes.slice(0, end < 0 ? undefined : end).join('');
}
