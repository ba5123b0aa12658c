import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { warmCompileCache } from '../src/sandbox/compile-cache.ts';
import { COMPILED } from './compile-cache.ts';

/** Compiled code for render children, as a service makes it when it starts; here once a test run, for all of its files. */
export const compileCacheDir = join(COMPILED, 'children');

const marker = join(COMPILED, `children-of-${process.ppid}`);
if (!existsSync(marker)) {
  await warmCompileCache(compileCacheDir);
  writeFileSync(marker, '');
}

/** The same for a service of its own, as if one had run there before: to copy some 500 files, and to remove them, takes longer than most tests. */
export function linkCompileCache(to: string): void {
  symlinkSync(compileCacheDir, to);
}
