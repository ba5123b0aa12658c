import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryTexts } from './repository-texts.ts';

/** Rules that no test can prove, each with the reason. There are none so far; prefer a test that cites the rule. */
const NOT_TESTED: Readonly<Record<string, string>> = {};

const RULE_PAGE = /^docs\/reference\/rules\/(?!README)[\w-]+\.md$/;
const HEADING = /^(?<anchor>.*)\n### (?<rule>[CRH]\d+)\. (?<title>.+)$/gm;
/** `C12`, or a range such as `C37 to C41`. `%C3` is a byte of an address, `H264` a codec. */
const CITATION = /(?<![\w%])(?<letter>[CRH])(?<first>\d{1,2})\b(?: to \k<letter>(?<last>\d{1,2})\b)?/g;
const TEST_NAME = /\b(?:test|it|suite|describe)\(\s*(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/g;
const TAG = /\[[^\]]*\]/g;

const texts = repositoryTexts();

interface Rule {
  readonly rule: string;
  readonly title: string;
  readonly anchor: string;
  readonly page: string;
}

const rules = texts
  .filter(({ path }) => RULE_PAGE.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(HEADING)].map(({ groups }): Rule => {
      const { rule, title, anchor } = groups as { rule: string; title: string; anchor: string };
      return { rule, title, anchor, page: path.slice('docs/reference/rules/'.length) };
    }),
  );

function citedIn(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(({ groups }) => {
    const { letter, first, last = first } = groups as { letter: string; first: string; last?: string };
    return Array.from(
      { length: Math.max(1, Number(last) - Number(first) + 1) },
      (_, n) => letter + (Number(first) + n),
    );
  });
}

function inOrder(all: Iterable<string>): string[] {
  const number = (rule: string) => Number(rule.slice(1));
  return [...new Set(all)].sort((a, b) => a.charCodeAt(0) - b.charCodeAt(0) || number(a) - number(b));
}

test('every cited rule has a heading in docs/reference/rules', () => {
  const known = new Set(rules.map(({ rule }) => rule));
  const unknown = texts.flatMap(({ path, text }) =>
    citedIn(text)
      .filter((rule) => !known.has(rule))
      .map((rule) => `${path} cites ${rule}`),
  );
  assert.deepEqual([...new Set(unknown)], []);
});

test('every rule is cited by the title of a test that proves it', () => {
  const names = texts
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap(({ text }) => [...text.matchAll(TEST_NAME)].map(({ groups }) => groups!.name!));
  const cited = new Set(names.flatMap((name) => citedIn((name.match(TAG) ?? []).join())));
  const uncited = rules.map(({ rule }) => rule).filter((rule) => !cited.has(rule));
  assert.deepEqual(inOrder(uncited), inOrder(Object.keys(NOT_TESTED)));
});

test('a rule has one heading, with its anchor above it', () => {
  const numbers = rules.map(({ rule }) => rule);
  assert.deepEqual(
    numbers.filter((rule, n) => numbers.indexOf(rule) !== n),
    [],
  );
  for (const { rule, anchor } of rules) assert.equal(anchor, `<a id="${rule.toLowerCase()}"></a>`, rule);
});

test('the index of docs/reference/rules lists every rule by its title', () => {
  const { text } = texts.find(({ path }) => path === 'docs/reference/rules/README.md')!;
  const listed = text.split('\n').filter((line) => /^- \[[CRH]\d/.test(line));
  const byRule = new Map(rules.map((rule) => [rule.rule, rule]));
  const expected = inOrder(byRule.keys()).map((rule) => {
    const { page, title } = byRule.get(rule)!;
    return `- [${rule}](${page}#${rule.toLowerCase()}) ${title}`;
  });
  assert.deepEqual(inOrder(listed.map((line) => citedIn(line)[0]!)).length, listed.length, 'a rule is listed twice');
  assert.deepEqual(listed.sort(), expected.sort());
});
