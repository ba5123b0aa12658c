import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacksOn, attackText } from './pattern-attacks.ts';
import { builtPatterns, patternLiterals } from './pattern-literals.ts';

/**
 * Characters of a repetition. Shorter ones come first: they end soon if the time is cubic, or doubles with each character. No length is
 * more than ten times the one before: what is below the floor there takes seconds at most.
 */
const LENGTHS = [24, 250, 1000, 4000];
/** A linear expression needs a tenth of this for the whole length. */
const FLOOR_MS = 1;
/** Twice the length takes twice the time if it is linear, and four times if it is not. */
const MOST_TIMES = 3;

/** Files whose expressions see no text from outside, and why. */
const OWN_TEXT: Readonly<Record<string, string>> = {
  'config/value-parsers.ts': 'the settings of the operator',
  'http/pages/docs/markdown.ts': 'the pages of this documentation',
  'http/pages/hls-script.ts': 'a script of a package',
};

/** Processor time of one use of the expression, in milliseconds. */
function costMs(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const before = process.threadCpuUsage();
  if (pattern.global) text.replaceAll(pattern, '');
  else pattern.exec(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The least of some uses: collecting garbage and compiling only add. */
function leastMs(pattern: RegExp, text: string): number {
  return Math.min(...Array.from({ length: 3 }, () => costMs(pattern, text)));
}

/** How the time grows faster than the length of a text; null if it does not. */
function slowness(pattern: RegExp): string | null {
  for (const attack of attacksOn(pattern)) {
    for (const length of LENGTHS) {
      if (costMs(pattern, attackText(attack, length)) < FLOOR_MS) continue;
      const once = leastMs(pattern, attackText(attack, length));
      if (once < FLOOR_MS) continue;
      // 24 characters never take that long; twice as many could take for ever.
      const twice = length === LENGTHS[0] ? Number.POSITIVE_INFINITY : leastMs(pattern, attackText(attack, length * 2));
      if (twice < once * MOST_TIMES) continue;
      const { before, pump, after } = attack;
      const text = `${JSON.stringify(before)} ${JSON.stringify(pump)}… ${JSON.stringify(after)}`;
      return `${text}: ${once.toFixed(1)} ms at ${length} characters, ${twice.toFixed(1)} ms at twice as many`;
    }
  }
  return null;
}

test('[H42] no regular expression takes more time than the length of its text', () => {
  const literals = patternLiterals();
  const built = builtPatterns();
  assert.ok(literals.length > 300 && built.length > 3, `${literals.length} and ${built.length} expressions`);
  const own = new Set(Object.keys(OWN_TEXT));
  assert.deepEqual([...own.difference(new Set(literals.map(({ path }) => path)))], [], 'these files have none');
  const slow = [...literals, ...built].flatMap(({ path, pattern }) => {
    const found = own.has(path) ? null : slowness(pattern);
    return found === null ? [] : [`${path} ${pattern} ${found}`];
  });
  assert.deepEqual(slow, []);
});

test('expressions that are known to be slow are found', () => {
  for (const slow of [
    /^\s*([A-Za-z-]+)\s*(?:=\s*"?([^";]*)"?)?\s*(?:;.*)?$/, // cubic; it once read Prefer
    /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i, // it once read Range
    /^(?:a+)+$/,
    /^(?:\w|\d)*!$/,
    /\s+$/,
    /<!--.*?-->/gs,
    /^(.*?),(.*?),(.*?);$/,
  ]) {
    assert.notEqual(slowness(slow), null, String(slow));
  }
});
