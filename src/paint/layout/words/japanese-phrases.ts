/** Where lines may end in Japanese. Uses only rules, so that the result is the same everywhere. */

/** Whether a text is Japanese: only Japanese has kana. */
export function isJapanese(text: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);
}

const KATAKANA = /^[\p{Script=Katakana}\u30fc\uff70]/u;
const HIRAGANA = /^\p{Script=Hiragana}/u;
const HAN = /^[\p{Script=Han}\u3005-\u3007\u30f5\u30f6]/u;

/** Short words that end a phrase, after the word that bears the meaning. */
const PARTICLES = /^[はがをにでともへやの]$/u;
/** Prefixes that belong to the next word. */
const PREFIXES = /^[おご]$/u;
/** Longer compounds can be split somewhere; only a dictionary knows where. */
const LONG_COMPOUND = 6;

/**
 * Whether a Japanese phrase may end between the last of `before` and `after`, each a grapheme of kanji or kana. Phrases
 * are a stem and its endings: they begin with kanji or katakana, and end with hiragana.
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
