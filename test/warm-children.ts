import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { warmCompileCache } from '../src/sandbox/compile-cache.ts';
import { COMPILED } from './compile-cache.ts';

/** Compiled code for render children, as a service makes it when it starts; here once a test run, for all of its files. */
export const compileCacheDir = join(COMPILED, 'children');

const marker = join(COMPILED, `children-of-${process.ppid}`);
if (!existsSync(marker)) {
  await warmCompileCache(compileCacheDir);
  writeFileSync(marker, '');
}

/** A copy of it for a service of its own, as if one had run there before: compiling takes longer than most tests. */
export function copyCompileCache(to: string): void {
  for (const entry of readdirSync(compileCacheDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const target = join(to, relative(compileCacheDir, from));
    mkdirSync(dirname(target), { recursive: true });
    try {
      copyFileSync(from, target);
    } catch (error) {
      // Another test file may be filling it: what it writes is renamed into place, so that a listed file can be gone.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
