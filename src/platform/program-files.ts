import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of package.json and the documentation: of the clone, or of the installed package. */
export const PROJECT_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}

/**
 * The path of a file of an npm package that is read and not imported: a font, a script for browsers. A clone reads it
 * from node_modules, which `packages` of its build is a link to. Our npm package ships a copy (`build/build-package.ts`),
 * because most files of such packages are never read.
 */
export function packageFile(name: string, file: string): string {
  return join(IS_BUILT ? join(BUILT, 'packages') : installedIn(name), name, file);
}

function installedIn(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = folders.find((each) => existsSync(join(each, name)));
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return folder;
}

/** Whether this is a built file, and no source as in tests. */
const IS_BUILT = import.meta.url.endsWith('.js');

/** The folder of our code: of the build that runs, or `src`. */
export const CODE = join(import.meta.dirname, '..');

/** The folder of built files: our own, or for sources that of the last build (`build/built.ts`). */
export const BUILT = IS_BUILT ? CODE : lastBuild();

/** Whether stacks can have the lines of the sources: in a clone. */
export function hasSourceMaps(): boolean {
  return existsSync(join(CODE, 'main.js.map'));
}

function lastBuild(): string {
  const current = join(CODE, '..', 'built', 'current');
  // A later build does not change it for this process.
  return existsSync(current) ? realpathSync(current) : current;
}
