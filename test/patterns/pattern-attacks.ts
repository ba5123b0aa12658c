import { type Branch, type Part, readPattern } from './pattern-tree.ts';

/** A text that takes long if anything does: a beginning that matches, a repetition, an end that does not match. */
export interface PatternAttack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** Tried in every expression, beside the characters of its own. */
const PUMPS = [
  ' ',
  'a',
  '0',
  '"',
  ',',
  '[',
  '(',
  '<',
  '\\',
  '\n',
  ';',
  '-',
  '=',
  '.',
  '/',
  ':',
  '_',
  '&',
  '{',
  "'",
  'é',
];
const FAILING = ['', '\0', 'y', '\n\0', '"x"y'];
const MOST_CHARS = 6;
const MOST_ENDS = 5;

/** The text of an attack whose repetition has this many characters; up to four times as many if it repeats several. */
export function attackText({ before, pump, after }: PatternAttack, length: number): string {
  return before + pump.repeat(Math.ceil((length * Math.min(pump.length, 4)) / pump.length)) + after;
}

/**
 * Attacks made from the expression itself: for each of its repetitions, what stands before it, what it repeats, and
 * parts of what follows, each with an end that does not match.
 */
export function attacksOn({ source, flags }: RegExp): PatternAttack[] {
  const found = new Map<string, PatternAttack>();
  const add = (before: string, pump: string, after: string) => {
    if (pump !== '') found.set(JSON.stringify([before, pump, after]), { before, pump, after });
  };
  const chars = new Chars(flags);
  for (const pump of PUMPS) for (const after of ['', '\0']) add('', pump, after);
  for (const { before, part, rest } of repetitions(readPattern(source), chars)) {
    const pumps = new Set([...chars.pumpsOf(part), before + chars.sample(part, 1)]);
    for (const pump of pumps) for (const after of ends(rest, chars)) add(before, pump, after);
  }
  return [...found.values()];
}

interface Repetition {
  /** A text that everything before it matches. */
  readonly before: string;
  readonly part: Part;
  readonly rest: Branch;
}

function* repetitions(
  branches: readonly Branch[],
  chars: Chars,
  before = '',
  outside: Branch = [],
): Generator<Repetition> {
  for (const branch of branches) {
    let passed = before;
    for (const [n, part] of branch.entries()) {
      const rest = [...branch.slice(n + 1), ...outside];
      if (part.kind === 'repeat' && part.most > 10) yield { before: passed, part: part.part, rest };
      const inner = part.kind === 'repeat' ? part.part : part;
      if (inner.kind === 'group') yield* repetitions(inner.branches, chars, passed, rest);
      passed += chars.sample(part, 0);
    }
  }
}

/** Parts of what follows, then something that fails. */
function ends(rest: Branch, chars: Chars): Set<string> {
  const found = new Set(FAILING);
  let text = '';
  for (const part of rest.slice(0, MOST_ENDS)) {
    text += chars.sample(part, 1);
    for (const failing of FAILING) found.add(text + failing);
  }
  return found;
}

/** Texts that parts of an expression match. */
class Chars {
  readonly #flags: string;
  readonly #accepted = new Map<string, readonly string[]>();

  constructor(flags: string) {
    this.#flags = flags.replaceAll(/[gy]/g, '');
  }

  /** A text that the part matches; with `times` 1 it has what is optional once. */
  sample(part: Part, times: 0 | 1): string {
    switch (part.kind) {
      case 'nothing':
        return '';
      case 'one':
        return this.#of(part.source)[0] ?? '';
      case 'group':
        return this.#branch(part.branches[0]!, times);
      case 'repeat':
        return this.sample(part.part, times).repeat(Math.min(Math.max(part.least, times), 100));
    }
  }

  /** What a repetition of the part can consist of. */
  pumpsOf(part: Part): string[] {
    switch (part.kind) {
      case 'nothing':
        return [];
      case 'one':
        return this.#of(part.source).slice(0, MOST_CHARS);
      case 'repeat':
        return [...this.pumpsOf(part.part), this.sample(part, 1)];
      case 'group':
        return part.branches.flatMap((branch) => {
          const [only] = branch;
          return [
            this.#branch(branch, 0),
            this.#branch(branch, 1),
            ...(branch.length === 1 ? this.pumpsOf(only!) : []),
          ];
        });
    }
  }

  #branch(branch: Branch, times: 0 | 1): string {
    return branch.map((part) => this.sample(part, times)).join('');
  }

  /** The characters that a single-character part accepts; at least one, unless it accepts none at all. */
  #of(source: string): readonly string[] {
    const known = this.#accepted.get(source);
    if (known !== undefined) return known;
    const one = new RegExp(`^${source}$`, this.#flags);
    const accepted = ['a', ...PUMPS].filter((char) => one.test(char));
    for (let code = 0; accepted.length === 0 && code < 0x3000; code += 1) {
      const char = String.fromCodePoint(code);
      if (one.test(char)) accepted.push(char);
    }
    this.#accepted.set(source, accepted);
    return accepted;
  }
}
