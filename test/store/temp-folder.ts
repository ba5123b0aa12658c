import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** An empty folder, removed after the test. */
export function tempFolder(t: TestContext): string {
  return folderIn(tmpdir(), t);
}

/** As `tempFolder`, in memory where the machine offers that: for tests of thousands of writes that prove no durability. */
export function fastFolder(t: TestContext): string {
  return folderIn(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), t);
}

function folderIn(parent: string, t: TestContext): string {
  const path = mkdtempSync(join(parent, 'tiercut-store-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
