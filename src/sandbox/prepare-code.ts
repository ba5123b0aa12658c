import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../platform/sha256.ts';
import { PROGRAM_FOLDER } from './host/ready-program.ts';

/** Installations that share a folder each find their own in it. */
const HERE = shortHash(`${import.meta.dirname} ${process.version} ${process.arch}`);

/** Code that was not used for this long is removed when new code is prepared. */
const KEPT_UNUSED_MS = 7 * 24 * 3_600_000;

/** The prepared code, and its input files. */
interface Note {
  /** Its folder's name. */
  readonly name: string;
  /** The files, and how each was. */
  readonly inputs: readonly (readonly [path: string, state: string])[];
}

/**
 * Prepares a clone's render programs in a folder, as a few files. Children that get the result (their `codeDir`) start
 * in half of the time. If the same files were prepared before, their result is reused. Returns undefined if preparing
 * fails, for example on a full disk: children run the sources then.
 *
 * @param folder must not be writable for others, since its content is executed; null: the programs are built already,
 * or cannot be kept.
 * @param onFault called with the reason if children start more slowly than they could.
 */
export async function prepareCode(
  folder: string | null,
  onFault: (error: unknown) => void = () => {},
): Promise<string | undefined> {
  if (folder === null) return undefined;
  const noteFile = join(folder, `${HERE}.json`);
  const ready = await readyAlready(folder, noteFile);
  if (ready !== null) return ready;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const note = await bundle(folder);
    await writeWhole(noteFile, JSON.stringify(note));
    const codeDir = join(folder, note.name);
    await removeUnused(folder, codeDir).catch(() => {});
    return codeDir;
  } catch (error) {
    onFault(error);
    return undefined;
  }
}

/** The folder of code that was prepared from the current files; null if there is none. */
async function readyAlready(folder: string, noteFile: string): Promise<string | null> {
  try {
    const { name, inputs }: Note = JSON.parse(await readFile(noteFile, 'utf8'));
    const codeDir = join(folder, name);
    const isReady =
      existsSync(join(codeDir, PROGRAM_FOLDER)) && inputs.every(([path, state]) => stateOf(path) === state);
    if (!isReady) return null;
    const now = new Date();
    // On a read-only file system nothing will be removed either.
    await utimes(codeDir, now, now).catch(() => {});
    return codeDir;
  } catch {
    return null;
  }
}

/** The folder has its name from its content and appears when it is complete, also if several processes make it. */
async function bundle(folder: string): Promise<Note> {
  // Imported here, since the npm package does not contain it.
  const { bundlePrograms } = await import('./bundle-programs.ts');
  const begunMs = Date.now();
  const { files, inputs } = await bundlePrograms();
  const endedMs = Date.now();
  const name = `${HERE}-${shortHash(JSON.stringify(files))}`;
  const codeDir = join(folder, name);
  if (!existsSync(codeDir)) {
    await using fresh = await mkdtempDisposable(join(folder, 'unfinished-'));
    const programs = join(fresh.path, PROGRAM_FOLDER);
    await mkdir(programs);
    await Promise.all(files.map((file) => writeFile(join(programs, file.name), file.text)));
    await rename(fresh.path, codeDir).catch((error: unknown) => {
      if (!existsSync(codeDir)) throw error;
    });
  }
  // A file that was written while it was read may be in the bundle in either state: it is bundled again the next time.
  const isSure = (path: string) => statSync(path).ctimeMs < begunMs || statSync(path).ctimeMs > endedMs;
  return { name, inputs: inputs.map((path) => [path, isSure(path) ? stateOf(path) : 'in change']) };
}

async function removeUnused(folder: string, used: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  for (const path of paths.filter((each) => each !== used && !each.endsWith('.json'))) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - KEPT_UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Differs whenever the file differs: an archive can set any modification time, but not the change time. */
function stateOf(path: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

/** Writes the file completely or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}
