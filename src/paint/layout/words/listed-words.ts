import { type SpacelessRules, type SpacelessScript, spacelessStretches, type Words } from './spaceless-text.ts';

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

/** Of them, what puts a consonant under the last also where other marks are between, and those marks. */
const LINKS = /[\u17d2\u1039]/;
const MARKS = /[\u200d\p{M}]/u;

/** A consonant that ends the syllable before it: silenced (Thai, Lao, Khmer), cut short (Khmer), without its vowel or upon the next (Myanmar). */
const ENDS_SYLLABLE =
  /^(?:[\u0e01-\u0e2e][\u0e34\u0e38]?\u0e4c|[\u0e81-\u0eae]\u0ecc|[\u1780-\u17a2][\u17cb-\u17cd\u17d1]|[\u1000-\u1021\u103f][\u1037\u103b]*[\u1039\u103a])/;
/** As many characters as that looks at. */
const LOOKS_AHEAD = 5;

/** Whether the text at an index follows a word; also at a non-joiner. */
function followsWord(text: string, at: number): boolean {
  return text[at] === '\u200c' || FOLLOWS.test(text.slice(at, at + 1));
}

/**
 * Whether a syllable may end before `at`, in Thai, Lao, Khmer and Myanmar. Such a syllable has one or more grapheme
 * clusters of Unicode, and no line ends within it, even if a list of words says so. In other scripts a mark is not
 * separated from its letter.
 */
export function isSyllableBound(text: string, at: number): boolean {
  const next = text.slice(at, at + LOOKS_AHEAD);
  if (LEADS.test(text[at - 1] ?? '') || HANGS.test(next) || ENDS_SYLLABLE.test(next) || FOLLOWS.test(next))
    return false;
  return !isLinked(text, at);
}

/** Whether the marks before `at` put the next consonant under the one before them. */
function isLinked(text: string, at: number): boolean {
  for (let mark = at - 1; mark >= 0 && MARKS.test(text[mark]!); mark -= 1) {
    if (LINKS.test(text[mark]!)) return true;
  }
  return false;
}

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
