import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ATTACKS } from '../../bench/attack/attacks.ts';

const PAGE = join(import.meta.dirname, '../../docs/explanation/security.md');

test('the page about security lists every attack with its rule', () => {
  const section = readFileSync(PAGE, 'utf8').split('## What is attacked')[1]!.split('\n## ')[0]!;
  const listed = [...section.matchAll(/^\| `([a-z-]+)` \| .* \| \[([CRH]\d+)\]/gm)].map(([, name, rule]) => [
    name,
    rule,
  ]);
  assert.deepEqual(
    listed,
    ATTACKS.map(({ name, rule }) => [name, rule]),
  );
});
