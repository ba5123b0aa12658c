/**
 * Characters that follow a word and never begin a line: marks of repetition and abbreviation, signs of the end,
 * particles written as one mark.
 */
const FOLLOWS = /^[\u0e2f\u0e46\u0e5a\u0e5b\u0eaf\u0ec6\u17d4-\u17d8\u17da\u104a-\u104d\u104f]/;

/** Vowels and signs that belong to the letter before them, be they marks for Unicode or not. */
const HANGS = /^[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3\u0ebd\u200c-\u200d\p{M}]/u;

/**
 * Vowels that are written before the consonant they follow, signs that put the next consonant under the last, joiners.
 */
const LEADS = /[\u0e40-\u0e44\u0ec0-\u0ec4\u17d2\u1039\u200d]/;

/** A consonant that ends the syllable before it: silenced (Thai, Lao, Khmer), cut short (Khmer), without its vowel or upon the next (Myanmar). */
const ENDS_SYLLABLE =
  /^(?:[\u0e01-\u0e2e][\u0e34\u0e38]?\u0e4c|[\u0e81-\u0eae]\u0ecc|[\u1780-\u17a2][\u17cb-\u17cd\u17d1]|[\u1000-\u1021\u103f][\u1037\u103b]*[\u1039\u103a])/;
/** As many characters as that looks at. */
const LOOKS_AHEAD = 5;

/** Whether the text at an index follows a word; also at a non-joiner. */
export function followsWord(text: string, at: number): boolean {
  return text[at] === '\u200c' || FOLLOWS.test(text.slice(at, at + 1));
}

/**
 * Whether a syllable may end before `at`, in Thai, Lao, Khmer and Myanmar. Such a syllable has one or more grapheme
 * clusters of Unicode, and no line ends within it, even if a list of words says so. In other scripts a mark is not
 * separated from its letter.
 */
export function isSyllableBound(text: string, at: number): boolean {
  const next = text.slice(at, at + LOOKS_AHEAD);
  return !(LEADS.test(text[at - 1] ?? '') || HANGS.test(next) || ENDS_SYLLABLE.test(next) || FOLLOWS.test(next));
}
