/**
 * `npm run build`: makes everything that a clone, the npm package and the image run (`bundleInto`), in a folder of
 * `built/` whose name is a hash of all that it is made from. `built/current` is the newest.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, readdir, realpath, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { bundlePrograms } from './bundle-programs.ts';
import { bundleStudio } from './bundle-studio.ts';

export const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'built');
const CURRENT = join(BUILT, 'current');

/** A build that nobody started for this long is removed by the next one. */
const KEPT_UNUSED_MS = 24 * 3_600_000;

/** What a build is made from. The installed packages by their list: npm never changes a version. */
const INPUTS = ['src/**/*.*', 'build/*.ts', 'packages/client/src/**/*.ts', 'examples/planets/**/*.*'];
const LISTS = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/**
 * The folder of the build of the present sources; makes it if there is none. It appears complete, also if several
 * processes make it, and never changes: a running service keeps its programs.
 */
export async function built(): Promise<string> {
  const folder = join(BUILT, inputHash());
  if (!existsSync(folder)) await make(folder);
  // A read-only clone has one build.
  await pointTo(folder).catch(() => {});
  return folder;
}

function inputHash(): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(INPUTS, { cwd: ROOT }).sort();
  for (const path of [...files, ...LISTS.filter((list) => existsSync(join(ROOT, list)))]) {
    const bytes = readFileSync(join(ROOT, path));
    hash.update(`\n${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

async function make(folder: string): Promise<void> {
  const fresh = join(BUILT, `unfinished-${randomUUID()}`);
  try {
    await mkdir(fresh, { recursive: true });
    await bundleInto(fresh, join(CURRENT, 'studio-built'));
    // Files of packages are where they are installed; the npm package has copies.
    await symlink(join('..', '..', 'node_modules'), join(fresh, 'packages'), 'junction');
    await rename(fresh, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    // Exists only if it failed, or another process was faster.
    await rm(fresh, { recursive: true, force: true });
  }
  await removeUnused(folder).catch(() => {});
}

/**
 * Makes all files except copies from packages.
 *
 * @param earlierStudio see `bundleStudio`.
 * @returns the files it is made of, relative to the project.
 */
export async function bundleInto(folder: string, earlierStudio: string | null): Promise<readonly string[]> {
  // Pages, styles, pictures and lists of words as they are.
  const isRead = (path: string) => !path.endsWith('.ts');
  const copies = ['http/pages', 'paint/layout/words/lists', 'speech'].map((part) =>
    cp(join(ROOT, 'src', part), join(folder, part), { recursive: true, filter: isRead }),
  );
  const bundles = [bundlePrograms(folder), bundleStudio(join(folder, 'studio-built'), earlierStudio)];
  try {
    const [inputs] = await Promise.all([Promise.all(bundles), Promise.all(copies)]);
    return inputs.flat();
  } finally {
    await stop();
  }
}

/** Atomic: the link is replaced by a new one. */
async function pointTo(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
  if ((await realpath(CURRENT).catch(() => null)) === (await realpath(folder))) return;
  const link = join(BUILT, `unfinished-${randomUUID()}`);
  await symlink(folder.slice(BUILT.length + 1), link, 'junction');
  await rename(link, CURRENT);
}

async function removeUnused(used: string): Promise<void> {
  for (const path of (await readdir(BUILT)).map((name) => join(BUILT, name))) {
    if (path === used || path === CURRENT) continue;
    if ((await stat(path)).mtimeMs < Date.now() - KEPT_UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${await built()}\n`);
