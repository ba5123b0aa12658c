import { endsPhrase, isKanaOrKanji } from '../words/japanese-phrases.ts';
import { isSpaceless } from '../words/spaceless-text.ts';
import type { MeasureText } from './text-measure.ts';

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The characters as a reader sees them. */
export function graphemesOf(text: string): string[] {
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment);
}

/** Whether the first character that has a direction runs from right to left (UAX #9, P2 and P3). */
export function startsRightToLeft(text: string): boolean {
  const strong = /\p{L}/u.exec(text)?.[0];
  return strong !== undefined && RIGHT_TO_LEFT.test(strong);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const NO_BREAK = /^[\u00a0\u202f\u2007\u2060]/u;

/** East Asian characters and emoji, before and after which a line may end. Korean breaks at its spaces. */
const IDEOGRAPHIC =
  /^(?:[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]|\p{RI}|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** Kinsoku: characters that must not begin a line. Closing marks, small kana, sound marks, in ASCII and full width. */
const NOT_AT_START =
  /^[)\]}!?.,:;%\u2019\u201d\u00bb\u203a\u2026\u2025\u3001\u3002\u3005\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u301c\u301f\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u309d\u309e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u30f5\u30f6\u30fb-\u30fe\uff01\uff05\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d\uff5e]/u;

/** Characters that must not end a line: opening marks and signs before an amount. */
const NOT_AT_END =
  /^[([{$#\u00a1\u00bf\u00a3\u00a5\u20ac\u2018\u201c\u00ab\u2039\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u301d\uff04\uff08\uff3b\uff5b\uffe1\uffe5]/u;

/** Whether a line may end between a word so far and the grapheme after it. */
export function mayBreakBetween(word: readonly string[], after: string, japanese: boolean): boolean {
  const last = word.at(-1)!;
  if (NOT_AT_START.test(after) || NOT_AT_END.test(last)) return false;
  if (NO_BREAK.test(last) || NO_BREAK.test(after)) return false;
  if (/^[-\u2010\u2013\u2014/\u0f0b\u1361]/.test(last)) return word.length > 2 && /^\p{L}/u.test(after);
  if (!IDEOGRAPHIC.test(last) && !IDEOGRAPHIC.test(after)) return false;
  return japanese && isKanaOrKanji(last) && isKanaOrKanji(after) ? endsPhrase(word, after) : true;
}

/**
 * The most graphemes that a line passes to the next one. A syllable of Myanmar has up to five graphemes: a vowel after
 * its letter is one, and in older browsers so is a letter below another.
 */
const MAX_GIVEN_BACK = 5;

/**
 * Where to end a line that `fits` graphemes fit into: as late as possible, so that neither line starts or ends with a
 * forbidden grapheme. Returns `fits` if there is no such place. At least one grapheme stays.
 */
export function kinsokuCut(graphemes: readonly string[], from: number, fits: number, measure: MeasureText): number {
  for (let count = fits; count >= 1 && count > fits - MAX_GIVEN_BACK; count -= 1) {
    const [last, next] = [graphemes[from + count - 1]!, graphemes[from + count]];
    if (next === undefined) return count;
    if (NOT_AT_START.test(next) || NOT_AT_END.test(last)) continue;
    if (isSyllableEnd(last, next, measure)) return count;
  }
  return fits;
}

/** Vowels and signs behind a letter are separate graphemes in some scripts, but not words. */
const MARK = /^\p{M}/u;

/** Whether a visual syllable may end between two graphemes. */
export function isSyllableEnd(last: string, next: string, measure: MeasureText): boolean {
  const both = last + next;
  return !MARK.test(next) && (!isSpaceless(both) || measure.spaceless().isSyllableBound(both, last.length));
}

/** A longer word is broken wherever a line is full: the search for even parts takes quadratic time. */
const LONGEST_WORD = 80;

/** Letters of alphabets in which hyphens are usual. */
const HYPHENATED = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u;

/** Whether a word has only letters that take hyphens, and is not too long. */
export function hasHyphens(graphemes: readonly string[]): boolean {
  return graphemes.length <= LONGEST_WORD && graphemes.every((grapheme) => HYPHENATED.test(grapheme));
}

const VOWEL = /^[aeiouyæœøαεηιουωаеёиоуыэюяіїє]/iu;
/** Letters for one sound. */
const ONE_SOUND = new Set(['ch', 'ck', 'gh', 'ph', 'qu', 'sch', 'sh', 'th']);

/**
 * Where a syllable may end, by a rule of thumb that holds for many languages: before the last consonant in front of a
 * vowel, together with letters of the same sound. Each side has at least two letters, one of them a vowel.
 */
export function syllableEnds(graphemes: readonly string[]): number[] {
  const plain = graphemes.map((grapheme) => grapheme.normalize('NFD')[0]!.toLocaleLowerCase('und'));
  const isVowel = (at: number) => VOWEL.test(plain[at] ?? '');
  const isOneSound = (from: number, end: number) => ONE_SOUND.has(plain.slice(from, end).join(''));
  const ends: number[] = [];
  let hasVowel = false;
  for (let at = 0; at < plain.length - 1; at += 1) {
    if (isVowel(at)) hasVowel = true;
    else if (isVowel(at + 1)) {
      const end = at + 1 - ([3, 2].find((letters) => isOneSound(at + 1 - letters, at + 1)) ?? 1);
      if (hasVowel && end >= 2) ends.push(end);
    }
  }
  return ends;
}

/** Whether a word broken before `at` gets a hyphen: not with a single letter on either side. */
export function takesHyphen(graphemes: readonly string[], at: number, from: number): boolean {
  return at - from >= 2 && [-2, -1, 0, 1].every((place) => HYPHENATED.test(graphemes[at + place] ?? ''));
}
