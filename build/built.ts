/**
 * `npm run build`: makes everything that a clone runs, in a folder of `built/` whose name is a hash of all that it is made
 * from: the programs, and the studio. `built/current` is the newest. The npm package and the image run the same files.
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
/** The studio's folder in a build. */
export const STUDIO = 'studio-built';

/** A build that nobody started for this long is removed by the next one. */
const KEPT_UNUSED_MS = 24 * 3_600_000;

/** What a build is made from. The installed packages by their list: npm never changes a version. */
const INPUTS = ['src/**/*.*', 'build/*.ts', 'packages/client/src/**/*.ts', 'examples/planets/**/*.*'];
const LISTS = ['package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

/** The folder of the build of the present sources; makes what is missing of it. */
export async function built(): Promise<string> {
  const folder = await builtPrograms();
  await buildStudio(folder);
  return folder;
}

/**
 * The same, perhaps still without the studio. A build appears complete, also if several processes make it, its studio as
 * well, and neither changes afterwards: a running service keeps its programs.
 */
export async function builtPrograms(folder = presentBuild()): Promise<string> {
  if (!existsSync(folder)) {
    await appear(folder, async (fresh) => {
      await makePrograms(fresh);
      // Files of packages are where they are installed; the npm package has copies.
      await symlink(join('..', '..', 'node_modules'), join(fresh, 'packages'), 'junction');
    });
    await removeUnused(folder).catch(() => {});
  }
  // A read-only clone has one build.
  await pointTo(folder).catch(() => {});
  return folder;
}

/** Makes the studio of a build if it has none. */
export async function buildStudio(folder: string): Promise<void> {
  if (hasStudio(folder)) return;
  await appear(join(folder, STUDIO), async (fresh) => {
    await bundleStudio(fresh, 'quick', await newestStudio());
  });
}

/** The folder of the build of the present sources, whether or not it is there. */
export function presentBuild(): string {
  return join(BUILT, inputHash());
}

export function hasStudio(folder: string): boolean {
  return existsSync(join(folder, STUDIO));
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

async function appear(folder: string, make: (fresh: string) => Promise<void>): Promise<void> {
  const fresh = join(BUILT, `unfinished-${randomUUID()}`);
  try {
    await mkdir(fresh, { recursive: true });
    await make(fresh);
    await rename(fresh, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await stop();
    // Exists only if it failed, or another process was faster.
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Makes all files except the studio and copies from packages.
 *
 * @returns the files it is made of, relative to the project.
 */
export async function makePrograms(folder: string): Promise<readonly string[]> {
  // Pages, styles, pictures and lists of words as they are.
  const isRead = (path: string) => !path.endsWith('.ts');
  const copies = ['http/pages', 'paint/layout/words/lists', 'speech'].map((part) =>
    cp(join(ROOT, 'src', part), join(folder, part), { recursive: true, filter: isRead }),
  );
  const [inputs] = await Promise.all([bundlePrograms(folder), Promise.all(copies)]);
  return inputs;
}

/** Most of its files are those of the next studio as well. */
async function newestStudio(): Promise<string | null> {
  const folders = (await readdir(BUILT)).map((name) => join(BUILT, name)).filter(hasStudio);
  const times = await Promise.all(folders.map(async (folder) => (await stat(folder)).mtimeMs));
  const newest = folders[times.indexOf(Math.max(...times))];
  return newest === undefined ? null : join(newest, STUDIO);
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
