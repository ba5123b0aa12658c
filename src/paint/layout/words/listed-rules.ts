import { type SpacelessScript, spacelessStretches, type Words } from './spaceless-script.ts';
import type { SpacelessRules } from './spaceless-text.ts';
import { isSyllableBound } from './syllable-bounds.ts';

/**
 * Uses the words of each script, which are loaded when a text with that script is laid out: so a line never ends
 * elsewhere because of a missing list.
 */
export function listedRules(wordsOf: (script: SpacelessScript) => Words): SpacelessRules {
  return {
    isSyllableBound,
    wordStarts(text) {
      const starts = new Set<number>();
      for (const { script, text: stretch, index } of spacelessStretches(text)) {
        for (const at of wordsOf(script).startsIn(stretch)) starts.add(index + at);
      }
      return starts;
    },
  };
}
