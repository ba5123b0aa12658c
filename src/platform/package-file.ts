import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { IS_BUILT } from './is-built.ts';

/** The copies in the npm package. */
const COPIES = join(import.meta.dirname, '..', 'packages');

/**
 * The path of a file of an npm package that is read and not imported: a font, a script for browsers. A clone reads it
 * from node_modules. Our npm package ships a copy (`build/build-package.ts`), because most files of such packages are
 * never read.
 */
export function packageFile(name: string, file: string): string {
  return join(IS_BUILT ? COPIES : installedIn(name), name, file);
}

function installedIn(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = folders.find((each) => existsSync(join(each, name)));
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return folder;
}
