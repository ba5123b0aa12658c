/**
 * How lines end in scripts that put no spaces between words: Thai, Lao, Khmer and Myanmar. Few texts need them, so a
 * page loads the rules and their lists only for such a text, before it is laid out.
 */
export interface SpacelessRules {
  /** The places in a text, as indices, before which a word begins. */
  wordStarts(text: string): ReadonlySet<number>;
  /** Whether a syllable may end before `at`, as it is written. No line ends within one, and no text is cut there. */
  isSyllableBound(text: string, at: number): boolean;
}

/** Whether a text has any of them. By block rather than by property: a browser's Unicode data depends on its age. */
export function isSpaceless(text: string): boolean {
  return /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/.test(text);
}
