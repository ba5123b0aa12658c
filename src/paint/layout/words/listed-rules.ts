import { type SpacelessScript, spacelessStretches, type Words } from './spaceless-script.ts';
import type { SpacelessRules } from './spaceless-text.ts';
import { isSyllableBound } from './syllable-bounds.ts';

/** By words of each script, which are there when a text with that script is laid out: no line ever ends elsewhere for want of them. */
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
