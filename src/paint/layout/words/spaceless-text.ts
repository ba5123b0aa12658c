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

/** Scripts without spaces between words, for which only a list of words gives their ends. */
export type SpacelessScript = 'thai' | 'lao' | 'khmer' | 'myanmar';

/**
 * Ranges of each. By block rather than by property: a browser's Unicode data depends on its age, and a line must end
 * where the server's ends.
 */
const STRETCHES: Readonly<Record<SpacelessScript, RegExp>> = {
  thai: /[\u0e00-\u0e7f\u200c\u200d]{2,}/g,
  lao: /[\u0e80-\u0eff\u200c\u200d]{2,}/g,
  khmer: /[\u1780-\u17ff\u19e0-\u19ff\u200c\u200d]{2,}/g,
  myanmar: /[\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u200c\u200d]{2,}/g,
};

export const SPACELESS_SCRIPTS = Object.keys(STRETCHES) as readonly SpacelessScript[];

/** A stretch of one of the scripts, and where it begins. */
interface SpacelessStretch {
  readonly script: SpacelessScript;
  readonly text: string;
  readonly index: number;
}

/** All there are in a text. */
export function spacelessStretches(text: string): SpacelessStretch[] {
  return SPACELESS_SCRIPTS.flatMap((script) =>
    Array.from(text.matchAll(STRETCHES[script]), ({ 0: stretch, index }) => ({ script, text: stretch, index })).filter(
      // Joiners alone are of any script.
      (found) => /[^\u200c\u200d]/.test(found.text),
    ),
  );
}

/** Finds words in a stretch of a script. */
export interface Words {
  /** The places within the stretch, as indices and in order, before which a word begins. */
  startsIn(stretch: string): number[];
}
