import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { productVersion } from '../command-line/product-version.ts';

/** Has this process find its own code compiled, and leave it so for the next call: compiling takes longer than planning does. */
export function keepCompiledCode(): void {
  const folder = compiledProgram();
  if (folder !== null) enableCompileCache(folder);
}

/** The folder of the program's own compiled code; null where there is no place for it. */
export function compiledProgram(): string | null {
  const folder = cacheFolder();
  return folder === null ? null : join(folder, 'program');
}

/** The render program ready to run, made so by the first call, and the first after an upgrade. undefined where there is no place for it. */
export async function compiledChildren(): Promise<string | undefined> {
  const folder = cacheFolder();
  if (folder === null) return undefined;
  // Not above: this file is among the first that any call loads.
  const { prepareCode } = await import('../../sandbox/prepare-code.ts');
  return prepareCode(join(folder, 'children'));
}

/** One that nobody else can write to, since what lies in it is executed; null where the home is not ours or cannot be written. */
function cacheFolder(): string | null {
  try {
    const home = homedir();
    const user = process.geteuid?.();
    // With another's home (sudo), what we leave there would be in its owner's way.
    if (user === undefined || statSync(home).uid !== user) return null;
    let folder = home;
    for (const name of ['.cache', 'tiercut', `compiled-${productVersion()}`]) {
      folder = join(folder, name);
      // One by one: in a home like /proc, making all of them at once would never end.
      if (statSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder, { mode: 0o700 });
    }
    const { uid, mode } = statSync(folder);
    return uid === user && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
}
