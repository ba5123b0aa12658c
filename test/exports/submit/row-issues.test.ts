import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RowIssues } from '../../../src/exports/submit/row-issues.ts';

const issue = (row: number, message = 'It is wrong.') => ({ path: `/rows/${row}/title`, code: 'field.type', message });

test('[C85] a row keeps its first 20 issues', () => {
  const issues = new RowIssues();
  for (let n = 0; n < 30; n += 1) issues.add(3, issue(3, `${n}`), () => '');
  assert.deepEqual(
    issues.of(3).map(({ message }) => message),
    Array.from({ length: 20 }, (_, n) => `${n}`),
  );
  assert.deepEqual(issues.of(4), []);
});

test('[C85] beyond their length a row keeps one issue, which has its place and no names', () => {
  const issues = new RowIssues();
  const where = ' (line 3, column 2, "title")';
  for (const row of [0, 1, 2]) {
    for (let n = 0; n < 2; n += 1) issues.add(row, issue(row, 'x'.repeat(600_000) + where), () => where);
  }
  assert.deepEqual(
    [0, 1, 2].map((row) => issues.of(row).length),
    [2, 2, 1],
  );
  const [short] = issues.of(2);
  assert.deepEqual([short!.path, short!.code], ['/rows/2/title', 'field.type']);
  assert.match(short!.message, /^The value is wrong\. .{0,80} \(line 3, column 2, "title"\)$/);
});
