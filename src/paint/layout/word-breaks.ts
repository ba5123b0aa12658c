/**
 * Where lines may end in scripts that put no spaces between words.
 *
 * Japanese goes by rules of its own, so that it comes out the same everywhere. For Thai, Lao, Khmer and Myanmar it takes
 * a dictionary: the one that comes with the Node of this project. Shipping another was measured and given up (ICU4X as WebAssembly has
 * 20.5 MB); Chromium's finds the same words (test/browser/boards.test.ts), and other browsers only preview.
 */

/** Runs without spaces in which only a dictionary finds the words. */
const WORDS_WITHOUT_SPACES = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\u200c\u200d]{2,}/gu;

/** What follows a word and never begins a line: marks of repetition and abbreviation, signs of the end. */
const FOLLOWS = /^[\u0e46\u0e2f\u0ec6\u0eaf\u17d4-\u17d7\u17da\u104a\u104b\p{M}\p{P}]/u;

/** Made when the first such text comes: dictionaries take a while to load. */
let words: Intl.Segmenter | null = null;

/** The places, as indices into `text`, before which such a word begins. */
export function dictionaryBreaks(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { 0: run, index } of text.matchAll(WORDS_WITHOUT_SPACES)) {
    words ??= new Intl.Segmenter('und', { granularity: 'word' });
    for (const { index: at, segment } of words.segment(run)) {
      if (at > 0 && !FOLLOWS.test(segment)) places.add(index + at);
    }
  }
  return places;
}

/** Whether a text is Japanese: kana tell. */
export function isJapanese(text: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

const KATAKANA = /^[\p{Script=Katakana}\u30fc\uff70]/u;
const HIRAGANA = /^\p{Script=Hiragana}/u;
const HAN = /^[\p{Script=Han}\u3005-\u3007\u30f5\u30f6]/u;

/** Short words that end a phrase, where they follow what bears the meaning. */
const PARTICLES = /^[はがをにでともへやの]$/u;
/** Prefixes that belong to what follows. */
const PREFIXES = /^[おご]$/u;
/** Longer compounds have seams somewhere; where, only a dictionary could tell. */
const LONG_COMPOUND = 6;

/**
 * Whether a Japanese phrase may end between the last of `before` and `after`, each a grapheme of kanji or kana. Phrases are a stem and
 * what hangs on it: they begin with kanji or katakana, and end with hiragana.
 */
export function endsPhrase(before: readonly string[], after: string): boolean {
  const last = before.at(-1)!;
  const earlier = before.at(-2) ?? '';
  if (HIRAGANA.test(last)) {
    if (HIRAGANA.test(after)) return PARTICLES.test(last) && (HAN.test(earlier) || KATAKANA.test(earlier));
    return !(PREFIXES.test(last) && !HIRAGANA.test(earlier));
  }
  if (HIRAGANA.test(after)) return false;
  if (KATAKANA.test(last)) return !KATAKANA.test(after);
  if (HAN.test(last) && HAN.test(after)) return runOf(HAN, before) > LONG_COMPOUND;
  return true;
}

/** Whether `endsPhrase` knows about a grapheme. */
export function isKanaOrKanji(grapheme: string): boolean {
  return HIRAGANA.test(grapheme) || KATAKANA.test(grapheme) || HAN.test(grapheme);
}

function runOf(kind: RegExp, graphemes: readonly string[]): number {
  return graphemes.length - 1 - graphemes.findLastIndex((grapheme) => !kind.test(grapheme));
}
