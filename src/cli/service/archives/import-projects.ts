import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TiercutClient, TiercutError } from '../../../../packages/client/src/client.ts';
import { fileSource } from '../../../../packages/client/src/node.ts';
import { ARCHIVE_FILE, type ArchiveManifest } from '../../../archive/project-archive.ts';
import { ExportError } from '../../../errors.ts';
import { shownText } from '../../../timeline/json/shown-value.ts';
import type { Terminal } from '../../command-line/terminal.ts';
import {
  type ArchiveFolder,
  checkFile,
  filesOf,
  openArchiveFolder,
  readText,
  unpackArchive,
} from './archive-folder.ts';

interface Import {
  readonly client: TiercutClient;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** The address of the service, for new links. */
  readonly url: string;
}

/**
 * Stores projects on a service: of a folder that `exportProjects` wrote, of one project's folder, or of .zip files. What
 * the service has already is not sent again, so it can be repeated, also after it was interrupted. (C89)
 *
 * @throws `archive.invalid`, and the errors of the service.
 */
export async function importProjects(place: string, into: Import): Promise<void> {
  const archives = await archivesAt(place);
  if (archives.length === 0) {
    const message = `${shownText(place)} has no projects: neither folders with ${ARCHIVE_FILE} nor .zip files.`;
    throw new ExportError('missing', 'archive.invalid', message);
  }
  for (const archive of archives) {
    into.signal.throwIfAborted();
    if (!archive.endsWith('.zip')) {
      await importProject(await openArchiveFolder(archive), into);
      continue;
    }
    const folder = await mkdtemp(join(tmpdir(), 'tiercut-import-'));
    try {
      await importProject(await unpackArchive(archive, folder), into);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function archivesAt(place: string): Promise<string[]> {
  const stats = await stat(place).catch((cause: unknown) => {
    throw new ExportError('missing', 'archive.invalid', `${shownText(place)} does not exist.`, { cause });
  });
  if (!stats.isDirectory()) return [place];
  const entries = await readdir(place, { withFileTypes: true });
  if (entries.some(({ name }) => name === ARCHIVE_FILE)) return [place];
  const found = entries.filter((entry) => !entry.name.endsWith('.part') && (entry.isDirectory() || isZip(entry)));
  return found.map(({ name }) => join(place, name)).sort();
}

function isZip(entry: { readonly name: string; isFile(): boolean }): boolean {
  return entry.isFile() && /\.zip$/i.test(entry.name);
}

async function importProject(archive: ArchiveFolder, into: Import): Promise<void> {
  const { client, terminal, signal, url } = into;
  const { manifest, folder } = archive;
  const { revisions, media, thumbnail, missing, links } = manifest;
  // Everything is checked before anything is sent.
  for (const file of filesOf(archive)) await checkFile(archive, file);
  const { id, saved, etag } = await placeFor(manifest, client, signal);
  for (const { sha256, path } of media) {
    if (await client.has(sha256, { signal })) continue;
    const sent = await client.upload(await fileSource(join(folder, path)), { signal });
    if (sent.media !== sha256) throw new ExportError('malformed', 'archive.invalid', `${path} has changed meanwhile.`);
  }
  let tag = etag;
  for (const revision of revisions.slice(saved)) {
    const text = await readText(archive, revision);
    const made = await client.projects.save(id, text, { signal, ...(tag !== null && { etag: tag }) });
    tag = made.etag;
  }
  if (thumbnail !== null && saved < revisions.length) {
    const picture = new Blob([new Uint8Array(await readFile(join(folder, thumbnail.path)))]);
    await client.projects.setThumbnail(id, picture, { signal });
  }
  const facts = [
    ...(saved === revisions.length ? ['already there'] : []),
    ...(id === manifest.project_id ? [] : [`the id ${manifest.project_id} has another project`]),
    ...(missing.length === 0 ? [] : [`${missing.length} media are missing in the archive`]),
  ];
  terminal.out(`${id}  ${manifest.name}${facts.length === 0 ? '' : `; ${facts.join('; ')}`}`);
  const known = (await client.projects.links(id, { signal })).links.length;
  for (const _ of links.slice(known)) {
    const link = await client.projects.share(id, { signal });
    terminal.out(`  new link: ${new URL(link.url, url).href}`);
  }
}

interface Place {
  readonly id: string;
  /** How many revisions of the archive are there. */
  readonly saved: number;
  /** Of the current revision; null if there is no project yet. */
  readonly etag: string | null;
}

/** Its own id; if another project has that, one that depends only on the archive, so that a repeated import finds it. */
async function placeFor(manifest: ArchiveManifest, client: TiercutClient, signal: AbortSignal): Promise<Place> {
  const own = await placeUnder(manifest.project_id, manifest, client, signal);
  if (own !== null) return own;
  const other = otherId(`${manifest.project_id} ${manifest.revisions[0]!.sha256}`);
  const place = await placeUnder(other, manifest, client, signal);
  if (place !== null) return place;
  const message = `The ids ${manifest.project_id} and ${other} have other projects. Delete one of them to import ${shownText(manifest.name)}.`;
  throw new ExportError('invalid', 'archive.invalid', message);
}

/** null if another project has this id. */
async function placeUnder(
  id: string,
  { revisions: listed }: ArchiveManifest,
  client: TiercutClient,
  signal: AbortSignal,
): Promise<Place | null> {
  const found = await client.projects.revisions(id, { signal }).catch((error: unknown) => {
    if (error instanceof TiercutError && error.code === 'project.unknown') return null;
    throw error;
  });
  if (found === null) return { id, saved: 0, etag: null };
  // An ETag is the number of a revision and the start of its hash.
  const hashOf = (etag: string) => etag.replace(/^"\d+\.|"$/g, '');
  const there = found.revisions.map(({ etag }) => hashOf(etag));
  const wanted = listed.map(({ sha256 }) => sha256.slice(0, there[0]!.length));
  const etag = found.revisions[0]!.etag;
  // The archive is older than the project, or as old.
  if (there.includes(wanted.at(-1)!)) return { id, saved: listed.length, etag };
  // An interrupted import.
  const current = wanted.lastIndexOf(there[0]!);
  return current !== -1 && there.every((hash) => wanted.includes(hash)) ? { id, saved: current + 1, etag } : null;
}

function otherId(name: string): string {
  const hash = createHash('sha256').update(name).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80; // version 8: our own hash
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
