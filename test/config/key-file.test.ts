import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKeyFile } from '../../src/config/key-file.ts';
import { ExportError } from '../../src/errors.ts';
import { timesLonger } from '../processor-time.ts';

const KEY = '0123456789abcdef';

test('[C95] a file has one key on each line, with scopes behind a space', () => {
  const text = `# the keys of the studio\r\nalice:${KEY}\r\n\n  bob:${KEY}:with:colons \tread\nboth:${KEY}-2 operate,read\n`;
  assert.deepEqual(parseKeyFile(text, 'keys'), [
    { tenant: 'alice', key: KEY, scopes: ['read', 'render'] },
    { tenant: 'bob', key: `${KEY}:with:colons`, scopes: ['read'] },
    { tenant: 'both', key: `${KEY}-2`, scopes: ['read', 'operate'] },
  ]);
});

test('[C95] all wrong lines are reported by number, without their keys; a file without keys is refused', () => {
  const wrong = [
    'secret-without-tenant',
    'a:short',
    `a/b:${KEY}`,
    `a:${KEY} all`,
    `a:${KEY} read,read`,
    `a:${KEY} read x`,
  ];
  const text = ['# one', `a:${KEY}-1`, ...wrong].join('\n');
  assert.throws(
    () => parseKeyFile(text, 'keys'),
    (error: unknown) => {
      assert.ok(error instanceof ExportError);
      assert.deepEqual(
        error.issues.map(({ path }) => path),
        wrong.map((_, index) => `keys:${index + 3}`),
      );
      assert.doesNotMatch(error.message, /secret-without|0123456789/);
      return error.code === 'config.key_file';
    },
  );
  for (const empty of ['', '\n# nothing\n'])
    assert.throws(() => parseKeyFile(empty, 'keys'), { code: 'config.key_file' });
});

test('[C95] a key that is listed twice is refused, also beside one of the variable', () => {
  const places = (text: string, others: readonly string[] = []) => {
    try {
      parseKeyFile(text, 'keys', others);
      return [];
    } catch (error) {
      assert.ok(error instanceof ExportError);
      assert.doesNotMatch(error.message, new RegExp(KEY));
      return error.issues.map(({ path }) => path);
    }
  };
  assert.deepEqual(places(`a:${KEY}\nb:${KEY}-b\nb:${KEY} read`), ['keys:3']);
  assert.deepEqual(places(`a:${KEY}\nb:${KEY}-b`, [`${KEY}-b`]), ['keys:2']);
  assert.deepEqual(places(`a:${KEY}\nb:${KEY}-b`, [`${KEY}-c`]), []);
});

test('[C95] a file is read in time in proportion to its length', async () => {
  const line = `a:${'x'.repeat(200)} ${'read,'.repeat(40)}`;
  const work = (lines: number) => {
    const text = `${line}\n`.repeat(lines);
    return () => assert.throws(() => parseKeyFile(text, 'keys'));
  };
  const longer = await timesLonger(work(20_000), work(40_000), 3.5);
  assert.ok(longer < 3.5, `twice the lines take ${longer.toFixed(1)} times as long`);
});
