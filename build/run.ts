/**
 * The program of a clone: what was built from its sources, built first if they have changed. Where nothing can be built
 * (a read-only clone, a full disk, only what runs is installed), the last build runs.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CURRENT = join(import.meta.dirname, '..', 'built', 'current');

const program = join(await build(), 'main.js');
// A service starts it again by this name.
process.argv[1] = program;
await import(pathToFileURL(program).href);

async function build(): Promise<string> {
  try {
    return await (await import('./built.ts')).built();
  } catch (error) {
    // An error in the sources has no code.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !existsSync(CURRENT)) throw error;
    process.stderr.write(`The sources have changed and cannot be built, so the last build runs: ${message}\n`);
    return realpathSync(CURRENT);
  }
}
