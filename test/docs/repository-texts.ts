import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

const FOLDERS = ['bench', 'bin', 'build', 'docs', 'examples', 'packages', 'src', 'test'];
const WRITTEN = /\.(?:ts|tsx|js|mjs|css|md)$/;
const MADE = /(?:^|\/)(?:node_modules|dist|golden|failures)\//;

/** A file written by hand, by its path below the root. */
export interface RepositoryText {
  readonly path: string;
  readonly text: string;
}

/** Every source file and every page of the repository. */
export function repositoryTexts(): RepositoryText[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return [...readdirSync(ROOT), ...inFolders]
    .map((path) => path.split(sep).join('/'))
    .filter((path) => WRITTEN.test(path) && !MADE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
