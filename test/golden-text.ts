import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Compares a text with the one kept under test/golden. `UPDATE_GOLDEN=1` writes it instead: read the difference in git
 * before committing it.
 */
export function assertGoldenText(name: string, actual: string): void {
  const file = join(import.meta.dirname, 'golden', name);
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.equal(actual, readFileSync(file, 'utf8'), `test/golden/${name} differs; UPDATE_GOLDEN=1 rewrites it`);
}
