import '../kit/no-eval.ts';
import { readZip, writeZip, type ZipEntry } from '../../archive/zip-file.ts';
import { ExportError } from '../../errors.ts';
import { usedFiles } from '../document/episode-table.ts';
import { usedFields } from '../document/media-commands.ts';
import type { MediaEntry, Project } from '../document/project.ts';
import { type ReadProject, readProjectText } from '../document/project-text.ts';
import { titleOf } from '../document/template.ts';
import { writtenProject } from '../document/written-project.ts';
import { studioConfig } from '../kit/assets.ts';
import { say } from '../kit/messages.ts';
import { megabytes } from '../kit/shown-values.ts';
import { examine } from '../media/import-files.ts';
import { keepMedia, mediaFile } from '../media/media-store.ts';
import { thumbCame } from '../media/thumb.tsx';
import { decided } from '../session/session.ts';
import { noRoom } from '../texts/en/import.ts';
import * as texts from '../texts/en/zip-file.ts';
import { startProject } from './autosave.ts';

const ZIP_TEXTS = {
  notZip: texts.notZip,
  entryTooLarge: texts.entryTooLarge,
  compression: texts.compression,
  damagedEntry: texts.damagedEntry,
  moreThanDeclared: texts.moreThanDeclared,
};

/** Files in cells of a table are named by their content, as in an archive of the service. (C89) */
const MEDIA_FOLDER = 'media/';
const PROJECT_FILE = 'project.json';
const ZIP_START = 'PK';
/** The documents of a request are limited to 1 MiB each; the studio's part is as large again. */
const MAX_PROJECT_BYTES = 16 * 2 ** 20;

/** The project file for the command line. */
export function projectText(project: Project): string {
  return `${JSON.stringify(writtenProject(project), null, 2)}\n`;
}

export function saveProjectFile(): void {
  download(new Blob([projectText(decided.value)], { type: 'application/json' }), PROJECT_FILE);
}

/** The project and all its media in one file. Another browser can open it, and the command line can render it. */
export async function saveProjectZip(): Promise<void> {
  const project = decided.value;
  try {
    const entries: ZipEntry[] = [{ path: PROJECT_FILE, file: new Blob([projectText(project)]) }];
    const missing: string[] = [];
    for (const [field, path] of Object.entries(project.media)) {
      const file = await mediaFile(project.studio.media[field]?.hash ?? '');
      if (file !== null) entries.push({ path, file });
      else if (usedFields(project).has(field)) missing.push(path);
    }
    for (const { hash, name } of usedFiles(project.studio.table)) {
      const path = `${MEDIA_FOLDER}${hash}${/\.[a-z\d]{1,5}$/i.exec(name)?.[0].toLowerCase() ?? ''}`;
      const file = await mediaFile(hash);
      if (file === null) missing.push(name);
      else if (!entries.some((entry) => entry.path === path)) entries.push({ path, file });
    }
    const name = (titleOf(project) ?? '').replace(/[^\p{L}\p{N} ._-]+/gu, '').trim() || 'project';
    download(await writeZip(entries), `${name}.zip`);
    if (missing.length > 0) say(texts.savedWithout(missing.slice(0, 3)), 'bad');
  } catch (error) {
    say(error instanceof RangeError ? error.message : texts.notSaved, 'bad');
  }
}

/**
 * Opens a project file as a new project; the current one stays in this browser.
 *
 * @param takeMedia imports the media that came with it, before missing files are reported.
 */
export async function openProjectFile(file: File, takeMedia: () => Promise<void> = async () => {}): Promise<void> {
  try {
    const { project, left } = /\.zip$/i.test(file.name)
      ? await readProjectZip(file)
      : readProjectText(await file.text(), studioConfig.limits);
    await startProject(project);
    await reportLeft(project, left, takeMedia);
  } catch (error) {
    reportUnreadable(error, file.name);
  }
}

/**
 * Reads a file that a link names: an archive by its content, whatever its name.
 *
 * @returns null if it is no project, which is reported. @throws the signal's reason.
 */
export async function readLinkedProject(file: File, bounds: Bounds): Promise<Project | null> {
  try {
    const isArchive = (await file.slice(0, ZIP_START.length).text()) === ZIP_START;
    if (!isArchive && file.size > MAX_PROJECT_BYTES) throw new RangeError(texts.notProject(file.name));
    const { project, left } = isArchive
      ? await readProjectZip(file, bounds)
      : readProjectText(await file.text(), studioConfig.limits);
    await reportLeft(project, left);
    return project;
  } catch (error) {
    bounds.signal?.throwIfAborted();
    reportUnreadable(error, file.name);
    return null;
  }
}

async function reportLeft(project: Project, left: ReadProject['left'], takeMedia = async () => {}): Promise<void> {
  if (left.length > 0) say(texts.leftOut(left.length), 'bad');
  await takeMedia();
  const absent = await countAbsent(project);
  if (absent > 0) say(texts.absentFiles(absent));
}

function reportUnreadable(error: unknown, name: string): void {
  if (error instanceof ExportError) say(texts.notProject(name), 'bad');
  else say(error instanceof RangeError ? error.message : texts.unreadable(name), 'bad');
}

/** What ends the reading of an archive. */
export interface Bounds {
  /** Of all files together, unpacked. */
  readonly maxBytes: number;
  readonly signal: AbortSignal | null;
}

const UNBOUNDED: Bounds = { maxBytes: Number.POSITIVE_INFINITY, signal: null };

/** The files of an archive, each unpacked on demand. */
async function filesIn(archive: Blob, { maxBytes, signal }: Bounds) {
  let left = maxBytes;
  const files = await readZip(archive, ZIP_TEXTS);
  const bounded = [...files].map(([path, unpack]) => {
    const unpackMore = async (most: number): Promise<Blob> => {
      signal?.throwIfAborted();
      const file = await unpack(Math.min(most, left));
      left -= file.size;
      return file;
    };
    return [path, unpackMore] as const;
  });
  return new Map(bounded);
}

async function readProjectZip(archive: Blob, bounds = UNBOUNDED) {
  const files = await filesIn(archive, bounds);
  const place = [...files.keys()]
    .filter((path) => path.split('/').at(-1) === PROJECT_FILE)
    .sort((a, b) => a.length - b.length)[0];
  if (place === undefined) throw new RangeError(texts.noProjectJson);
  const folder = place.slice(0, -PROJECT_FILE.length);
  const { project, left } = readProjectText(
    await (await files.get(place)!(MAX_PROJECT_BYTES)).text(),
    studioConfig.limits,
  );
  const media: Record<string, MediaEntry> = {};
  for (const [field, path] of Object.entries(project.media)) {
    const file = await files.get(folder + path.replace(/^\.\//, ''))?.(studioConfig.fileLimits.maxFileBytes);
    const entry =
      file === undefined ? null : await takeIn(file, project.studio.media[field]?.name ?? path.split('/').at(-1)!);
    if (entry !== null) media[field] = entry;
    else if (project.studio.media[field] !== undefined) media[field] = project.studio.media[field];
  }
  await takeTableFiles(project, files, folder + MEDIA_FOLDER);
  return { project: { ...project, studio: { ...project.studio, media } }, left };
}

/** The facts in the table stay: those of another file with this hash cannot be. */
async function takeTableFiles(
  { studio }: Project,
  files: Awaited<ReturnType<typeof readZip>>,
  folder: string,
): Promise<void> {
  const paths = [...files.keys()].filter((path) => path.startsWith(folder));
  const byHash = new Map(paths.map((path) => [/^[\da-f]{64}(?=\.|$)/.exec(path.slice(folder.length))?.[0], path]));
  for (const { hash, name } of usedFiles(studio.table)) {
    const path = byHash.get(hash);
    const file = path === undefined ? undefined : await files.get(path)!(studioConfig.fileLimits.maxFileBytes);
    if (file !== undefined) await takeIn(file, name);
  }
}

/** Probes the file again, since the facts in a project file cannot be trusted. Null if it is unreadable, or there is no space for it. */
async function takeIn(file: Blob, name: string): Promise<MediaEntry | null> {
  const found = await examine(file);
  if ('fault' in found) return null;
  if (!(await keepMedia(found.hash, file, found.thumb))) {
    say(noRoom(name, megabytes(file.size)), 'bad');
    return null;
  }
  thumbCame(found.hash, found.facts.kind, found.thumb);
  return { ...found.facts, hash: found.hash, name, bytes: file.size, type: file.type };
}

async function countAbsent(project: Project): Promise<number> {
  let absent = 0;
  for (const { hash } of usedFiles(project.studio.table)) if ((await mediaFile(hash)) === null) absent += 1;
  for (const field of usedFields(project)) {
    if (!(field in project.media)) continue;
    const hash = project.studio.media[field]?.hash;
    if (hash === undefined || (await mediaFile(hash)) === null) absent += 1;
  }
  return absent;
}

export function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
