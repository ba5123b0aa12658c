import type { SpokenWord } from '../../../timeline/request/text-entries.ts';

/** Letters that only Turkish and its relatives have: there, the capital of i has a dot. */
const DOTTED = /[ğĞıİ]/;

/**
 * The language whose rules upper case follows. Those of Greek, which drops its accents, change nothing in other
 * scripts.
 */
export function capitalsOf(texts: Iterable<string>): string {
  for (const text of texts) if (DOTTED.test(text)) return 'tr';
  return 'el';
}

/** The text in capitals, with its words where they are then: some letters become two. (C62) */
export function upperCased(
  { text, words }: { readonly text: string; readonly words: readonly SpokenWord[] },
  language: string,
): { text: string; words: SpokenWord[] } {
  let [upper, done] = ['', 0];
  const until = (at: number): number => {
    upper += text.slice(done, at).toLocaleUpperCase(language);
    done = at;
    return upper.length;
  };
  const moved = words.map((word) => ({ ...word, from: until(word.from), to: until(word.to) }));
  until(text.length);
  return { text: upper, words: moved };
}
