import type { SpacelessScript, Words } from './spaceless-script.ts';
import { followsWord, isSyllableBound } from './syllable-bounds.ts';
import { readWordList, type WordList } from './word-list.ts';

/** The cost of a syllable that is in no word: more than that of any words that could contain it. */
const UNKNOWN = 16;

/**
 * Words by a list: the way through a stretch with the fewest syllables that no word takes in, then with the fewest
 * words, then with the longer word first. Found from the end to the beginning, each place looked at once: time grows
 * with the length alone.
 *
 * ICU instead looks three words ahead, and errs after a misspelling. On real texts 96 to 99 % of its places are the
 * same (test/paint/layout/words.test.ts), and most of the others are inside words.
 */
export class ListedWords implements Words {
  readonly #list: WordList;

  constructor(list: WordList) {
    this.#list = list;
  }

  startsIn(stretch: string): number[] {
    const { length } = stretch;
    /** For each bound: the cost of the path from there, the end of its first step, and whether that is a word. */
    const costs = new Int32Array(length + 1);
    const steps = new Int32Array(length + 1);
    const known = new Uint8Array(length + 1);
    const isBound = Array.from({ length: length + 1 }, (_, at) => at % length === 0 || isSyllableBound(stretch, at));
    let nextBound = length;
    for (let at = length - 1; at >= 0; at -= 1) {
      if (!isBound[at]) continue;
      costs[at] = UNKNOWN + costs[nextBound]!;
      steps[at] = nextBound;
      for (const letters of this.#list.lengthsAt(stretch, at)) {
        let end = at + letters;
        while (!isBound[end] && followsWord(stretch, end)) end += 1;
        const cost = 1 + costs[end]!;
        if (!isBound[end] || cost > costs[at]!) continue;
        costs[at] = cost;
        steps[at] = end;
        known[at] = 1;
      }
      nextBound = at;
    }
    return startsAlong(steps, known);
  }
}

/** Of a file, unpacked. */
export function readListedWords(bytes: Uint8Array, script: SpacelessScript): Words {
  return new ListedWords(readWordList(bytes, script));
}

/**
 * Names and similar words are in no list: the text between two words is kept whole, and a single letter stays with the
 * word before it.
 */
function startsAlong(steps: Int32Array, known: Uint8Array): number[] {
  const starts: number[] = [];
  const end = steps.length - 1;
  for (let at = 0; at < end; ) {
    let next = steps[at]!;
    while (known[at] === 0 && next < end && known[next] === 0) next = steps[next]!;
    const isLetter = known[at] === 0 && next - at === 1;
    if (at > 0 && !isLetter) starts.push(at);
    // At the very beginning there is no word before it.
    at = at === 0 && isLetter && next < end ? steps[next]! : next;
  }
  return starts;
}
