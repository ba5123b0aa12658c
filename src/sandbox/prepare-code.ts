import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';
import { childLimits } from './host/child-limits.ts';
import { PROGRAM_FOLDER } from './host/ready-program.ts';
import type { SandboxMode } from './jail/sandbox-mode.ts';
import { launchRenderChild } from './render-child.ts';

/** Installations that share a folder each find their own in it. */
const HERE = shortHash(`${import.meta.dirname} ${process.version} ${process.arch}`);

/** What nobody has used for so long goes when something new comes. */
const KEPT_UNUSED_MS = 7 * 24 * 3_600_000;

/** Which code is ready, and what it was made of. */
interface Note {
  /** Its folder's name. */
  readonly name: string;
  /** The files, and how each was. */
  readonly inputs: readonly (readonly [path: string, state: string])[];
}

/**
 * Makes the render program ready in a folder: as few files, and compiled. Children that are given the answer (their `codeDir`) start in
 * a third of the time. What was made of the very same files is left as it is. undefined where it cannot be made, on a full disk, say:
 * children do without, and what is wrong is told where it matters.
 *
 * To compile it the program is run once outside the jail, without media: from inside it can only be read, lest one render leaves code
 * for the next. The folder must be one that nobody else can write to, since its content is executed.
 *
 * @param parent where the folder it needs for a moment is made.
 * @param onFault told why children start more slowly than they could.
 */
export async function prepareCode(
  folder: string,
  parent = tmpdir(),
  onFault: (error: unknown) => void = () => {},
): Promise<string | undefined> {
  const noteFile = join(folder, `${HERE}.json`);
  const ready = await readyAlready(folder, noteFile);
  if (ready !== null) return ready;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const note = await bundle(folder, parent).catch((error: unknown) => {
      onFault(error);
      return null;
    });
    if (note !== null) await writeWhole(noteFile, JSON.stringify(note));
    const codeDir = join(folder, note?.name ?? `${HERE}-sources`);
    // Where there is no bundler the sources are compiled at least.
    if (note === null) await mkdir(codeDir, { recursive: true });
    if (note === null) await loadAll(codeDir, 'off', parent);
    await removeUnused(folder, codeDir).catch(() => {});
    return codeDir;
  } catch (error) {
    onFault(error);
    return undefined;
  }
}

/** The folder of code that was made of the files as they are; null if there is none. */
async function readyAlready(folder: string, noteFile: string): Promise<string | null> {
  try {
    const { name, inputs }: Note = JSON.parse(await readFile(noteFile, 'utf8'));
    const codeDir = join(folder, name);
    const isReady =
      existsSync(join(codeDir, PROGRAM_FOLDER)) && inputs.every(([path, state]) => stateOf(path) === state);
    if (!isReady) return null;
    const now = new Date();
    // Where nothing can be written nothing will be removed either.
    await utimes(codeDir, now, now).catch(() => {});
    return codeDir;
  } catch {
    return null;
  }
}

/** Bundles and compiles. The folder has its name from its content and appears when it is complete, whoever else is at it. */
async function bundle(folder: string, parent: string): Promise<Note> {
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
  await loadAll(codeDir, 'off', parent);
  // Whether it runs from inside as well is better known now than from the first render.
  await loadAll(codeDir, 'auto', parent);
  // What was written while it was read may be in the bundle either way: it is made again the next time.
  const isSure = (path: string) => statSync(path).ctimeMs < begunMs || statSync(path).ctimeMs > endedMs;
  return { name, inputs: inputs.map((path) => [path, isSure(path) ? stateOf(path) : 'in change']) };
}

/** Has a child load all it has. Outside the jail Node leaves there what it has compiled. */
async function loadAll(codeDir: string, mode: SandboxMode, parent: string): Promise<void> {
  await using work = await mkdtempDisposable(join(parent, 'tiercut-warm-up-'));
  await using child = await launchRenderChild({
    mode,
    inputs: [],
    workDir: work.path,
    limits: childLimits(0),
    codeDir,
  });
  await child.request('warm_up', null);
}

async function removeUnused(folder: string, used: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  for (const path of paths.filter((each) => each !== used && !each.endsWith('.json'))) {
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - KEPT_UNUSED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Another text whenever a file is another one: whatever time an archive has given it, the system knows when it came to be as it is. */
function stateOf(path: string): string {
  const { size, mtimeMs, ctimeMs } = statSync(path);
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

/** All or nothing. */
async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
