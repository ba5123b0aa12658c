import type { SpacelessScript } from './spaceless-script.ts';

/** The words of a language that is written without spaces. */
export interface WordList {
  /** How many letters each word has that begins at `from`, the shortest first. */
  lengthsAt(text: string, from: number): number[];
}

/** Letters are stored as offsets from the first of their block. */
const BLOCKS: Readonly<Record<SpacelessScript, number>> = {
  thai: 0x0e00,
  lao: 0x0e80,
  khmer: 0x1780,
  myanmar: 0x1000,
};

/** The joiners are in no block. */
const JOINERS = '\u200c\u200d';
const FIRST_JOINER = 0x7e;

/**
 * In a file, bytes below this give the position where the next word differs from the last, and bytes above are letters.
 */
const FIRST_LETTER = 0x80;

/**
 * A list as `writeWordList` makes it. Words in order, each without the letters that it has in common with the one before, are a tree of
 * letters stored branch by branch, so that it loads in one pass.
 */
export function readWordList(bytes: Uint8Array, script: SpacelessScript): WordList {
  const block = BLOCKS[script];
  // Nodes in the order of the file: the first child of one that has any is the node behind it.
  const letters = new Uint8Array(bytes.length + 1);
  const siblings = new Int32Array(bytes.length + 1);
  const hasChild = new Uint8Array(bytes.length + 1);
  const isWord = new Uint8Array(bytes.length + 1);
  const path = [0];
  let count = 1;
  for (let at = 0; at < bytes.length; ) {
    const inCommon = bytes[at]!;
    const elder = path[inCommon + 1];
    if (elder !== undefined) siblings[elder] = count;
    path.length = inCommon + 1;
    for (at += 1; at < bytes.length && bytes[at]! >= FIRST_LETTER; at += 1) {
      hasChild[path.at(-1)!] = 1;
      letters[count] = bytes[at]! - FIRST_LETTER;
      path.push(count);
      count += 1;
    }
    isWord[path.at(-1)!] = 1;
  }
  return {
    lengthsAt(text, from) {
      const lengths: number[] = [];
      let node = 0;
      for (let at = from; at < text.length && hasChild[node] === 1; at += 1) {
        const letter = letterAt(text, at, block);
        node += 1;
        while (node !== 0 && letters[node] !== letter) node = siblings[node]!;
        if (node === 0) break;
        if (isWord[node] === 1) lengths.push(at + 1 - from);
      }
      return lengths;
    },
  };
}

/**
 * The file format of a list. Words with letters of another script are left out: the list of Myanmar has a few of
 * another encoding.
 */
export function writeWordList(words: readonly string[], script: SpacelessScript): Uint8Array {
  const coded = words.map((word) => Array.from({ length: word.length }, (_, at) => letterAt(word, at, BLOCKS[script])));
  const bytes: number[] = [];
  let before: readonly number[] = [];
  for (const word of coded.filter((letters) => !letters.includes(-1)).sort(byLetters)) {
    const inCommon = word.findIndex((letter, at) => letter !== before[at]);
    if (inCommon < 0) continue;
    bytes.push(inCommon, ...word.slice(inCommon).map((letter) => letter + FIRST_LETTER));
    before = word;
  }
  return Uint8Array.from(bytes);
}

/** A letter as a small number; −1 for one that no word has. */
function letterAt(text: string, at: number, block: number): number {
  const joiner = JOINERS.indexOf(text[at]!);
  if (joiner >= 0) return FIRST_JOINER + joiner;
  const letter = text.charCodeAt(at) - block;
  return letter >= 0 && letter < FIRST_JOINER ? letter : -1;
}

function byLetters(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((letter, at) => letter !== b[at]);
  return differs < 0 ? a.length - b.length : a[differs]! - (b[differs] ?? -1);
}
