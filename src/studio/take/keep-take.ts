import type { MediaEntry, Project } from '../document/project.ts';
import { examine } from '../media/import-files.ts';
import { mediaFolders, readFrom } from '../media/media-folders.ts';
import { keepOrHold } from '../media/media-store.ts';
import { thumbCame } from '../media/thumb.tsx';
import * as texts from '../texts/en/take.ts';
import { OVERLAP_SECONDS, wholeBytes } from './record/take-parts.ts';
import { takesFolder } from './record/takes-folder.ts';
import type { KeptFile, TakeLog } from './take.ts';

/** A file of a recording; `from` is null if unknown. */
interface FoundPart {
  readonly name: string;
  readonly from: number | null;
}

/** Stores a recording in the media, up to its first unreadable file. The recorder's files are deleted once they are stored. */
export async function keepTake(parts: readonly FoundPart[], shelf: Project['studio']['media']): Promise<KeptFile[]> {
  const kept: KeptFile[] = [];
  const number = nextNumber(shelf);
  for (const [i, { name, from }] of parts.entries()) {
    const entry = await keepFile(name, texts.fileName(number, i + 1)).catch(() => null);
    if (entry === null) break;
    const before = kept.at(-1);
    const next = before === undefined ? 0 : before.from + before.entry.duration - OVERLAP_SECONDS;
    kept.push({ entry, from: from ?? next });
  }
  return kept;
}

async function keepFile(name: string, title: string): Promise<MediaEntry | null> {
  const folder = await takesFolder();
  const handle = (await folder.getFileHandle(name)) as MovableFile;
  const file = await handle.getFile();
  const whole = file.slice(0, await wholeBytes(file));
  const found = await examine(whole);
  if ('fault' in found || found.facts.kind === 'unreadable' || found.facts.duration === 0) return null;
  const { hash, facts, thumb } = found;
  const { media } = (await mediaFolders())!;
  // Move a complete file, since a copy needs its space twice. A browser that cannot move it copies it.
  if (whole.size === file.size) await handle.move?.(media, hash).catch(() => {});
  await keepOrHold(hash, whole, thumb);
  thumbCame(hash, facts.kind, thumb);
  // Without space for a copy, the page reads the recording where it is, and the next visit offers it again.
  if ((await readFrom(media, hash)) !== null) await folder.removeEntry(name).catch(() => {});
  const ending = /\.\w+$/.exec(name)?.[0] ?? '';
  const type = ending === '.webm' ? 'video/webm' : 'video/mp4';
  const role = facts.kind === 'audio' && { role: 'voice' as const };
  return { ...facts, hash, name: title + ending, bytes: whole.size, type, recorded: true, ...role };
}

/** Browsers have `move`; the DOM types do not. */
interface MovableFile extends FileSystemFileHandle {
  move?(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

function nextNumber(shelf: Project['studio']['media']): number {
  const numbers = Object.values(shelf).map(({ name }) => Number(/^Take (\d+)[.,]/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

export async function discardTake(names: readonly string[]): Promise<void> {
  const folder = await takesFolder();
  for (const name of names) await folder.removeEntry(name).catch(() => {});
}

const FILE = 'take-log.json';

/** The last log that is not written yet; null removes the file. */
let waiting: TakeLog | null | undefined;
let writing: Promise<void> = Promise.resolve();

/** The log of the take with that file; null if there is none. */
export async function readLog(name: string): Promise<TakeLog | null> {
  try {
    const root = await navigator.storage.getDirectory();
    const file = await (await root.getFileHandle(FILE)).getFile();
    const log = JSON.parse(await file.text()) as TakeLog;
    return log.name === name ? log : null;
  } catch {
    return null;
  }
}

/**
 * Writes the log of the running take; null removes it. Writes one at a time, and of those that arrive meanwhile only the last. Uses a
 * file, since browsers write localStorage to disk much later, and less often the more it changes.
 */
export function writeLog(log: TakeLog | null): void {
  const isQueued = waiting !== undefined;
  waiting = log;
  if (isQueued) return;
  writing = writing.then(async () => {
    const next = waiting!;
    waiting = undefined;
    // Ignored: the recording matters more, and is another file.
    await write(next).catch(() => {});
  });
}

async function write(log: TakeLog | null): Promise<void> {
  const root = await navigator.storage.getDirectory();
  if (log === null) return root.removeEntry(FILE);
  const writer = await (await root.getFileHandle(FILE, { create: true })).createWritable();
  await writer.write(JSON.stringify(log));
  await writer.close();
}
