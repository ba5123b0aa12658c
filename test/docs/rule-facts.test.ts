import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { VARIABLES } from '../../src/config/config.ts';
import { CALLBACK_EVENTS } from '../../src/exports/api/export-view.ts';
import { requestSchemas } from '../../src/timeline/document-schemas.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { repositoryTexts } from './repository-texts.ts';

const texts = repositoryTexts();
const pages = texts.filter(({ path }) => /^docs\/reference\/rules\/.*\.md$/.test(path));
const pageAt = (path: string) => texts.find((page) => page.path === path)!.text;

/** Between backticks: `area.what`. Files and members of documents look the same. */
const CODE = /`([a-z]+\.[a-z_]+)`/g;
const NO_CODE = /^(?:settings|card|tier_list|timeline_data)\.|\.(?:ts|md|json|html|vtt|srt|max)$/;
const EVENTS: ReadonlySet<string> = new Set([...CALLBACK_EVENTS, 'batch.completed']);

test('the error codes that rules name are in docs/reference/errors.md', () => {
  const known = pageAt('docs/reference/errors.md');
  const unknown = pages.flatMap(({ path, text }) =>
    [...text.matchAll(CODE)]
      .map(([, code]) => code!)
      .filter((code) => !NO_CODE.test(code) && !EVENTS.has(code) && !known.includes(`| \`${code}\` |`))
      .map((code) => `${path} names ${code}`),
  );
  assert.deepEqual(unknown, []);
});

/** By name: the default as it is written in the environment. */
const DEFAULTS = new Map<string, string>(Object.values(VARIABLES).map(({ name, default: value }) => [name, value]));

/** `1,200 s` and `2 GiB` as configuration writes them. */
function plain(text: string): string {
  return text.replace(/(?<=\d),(?=\d{3})|(?<=\d) (?=[KMGT]iB)/g, '');
}

test('the variables that rules name exist', () => {
  const named = pages.flatMap(({ text }) => [...text.matchAll(/`(TIERCUT_[A-Z0-9_]+)/g)].map(([, name]) => name!));
  assert.ok(named.length > 50);
  assert.deepEqual(
    [...new Set(named)].filter((name) => !DEFAULTS.has(name)),
    [],
  );
});

test('the defaults that rules give are those of the configuration', () => {
  const wrong: string[] = [];
  for (const { path, text } of pages) {
    for (const [found, name, given] of text.matchAll(/`(TIERCUT_[A-Z0-9_]+)` \(([\d,]+(?: [KMGT]iB)?)[^)]*\)/g)) {
      if (plain(given!) !== DEFAULTS.get(name!)) wrong.push(`${path}: ${found}`);
    }
    for (const row of text.split('\n').filter((line) => line.startsWith('|'))) {
      const numbers: readonly string[] = plain(row).match(/\d+(?:[KMGT]iB)?/g) ?? [];
      for (const [, name] of row.matchAll(/`(TIERCUT_[A-Z0-9_]+)`/g)) {
        const value = DEFAULTS.get(name!)!;
        // 0 means a value that depends on the machine.
        if (/^[1-9]/.test(value) && !numbers.includes(value))
          wrong.push(`${path}: ${name} is ${value}, not as in ${row}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

test('the table of settings has every setting with all its values', () => {
  const page = pageAt('docs/reference/rules/documents.md');
  const rows = page.slice(page.indexOf('## Settings'), page.indexOf('## Entries')).match(/^\| `.*$/gm)!;
  const rowOf = (field: string) => rows.filter((row) => row.split('|')[1]!.includes(`\`${field}\``));
  const { shape } = requestSchemas(DEFAULT_TIMELINE_LIMITS).settings;
  for (const [field, schema] of Object.entries(shape)) {
    assert.equal(rowOf(field).length, 1, field);
    const inner = schema.def.innerType;
    for (const choice of inner instanceof z.ZodMiniEnum ? inner.options : []) {
      assert.ok(rowOf(field)[0]!.includes(`\`${choice}\``), `${field}: ${choice}`);
    }
  }
  const listed = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
  assert.deepEqual(listed.sort(), Object.keys(shape).sort());
});
