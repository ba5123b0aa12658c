import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TiercutClient } from '../../../../packages/client/src/client.ts';
import { saveTo } from '../../../../packages/client/src/node.ts';
import type { ArchiveManifest } from '../../../archive/project-archive.ts';
import { ExportError } from '../../../errors.ts';
import type { Terminal } from '../../command-line/terminal.ts';
import { checkFile, filesOf, openArchiveFolder, unpackArchive } from './archive-folder.ts';

/** The ending of what is not complete yet; a later run removes it. */
const UNFINISHED = '.part';

/**
 * Writes every project to a folder of its own, with its revisions and media. A project whose folder is up to date is not
 * fetched again. Each folder is there as a whole or not at all. (C89)
 *
 * @param only the id of the one project; undefined for all.
 */
export async function exportProjects(
  client: TiercutClient,
  folder: string,
  terminal: Terminal,
  { only, signal }: { readonly only: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true });
  }
  let count = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.projects.list({ limit: 100, signal, ...(cursor !== undefined && { cursor }) });
    for (const { project_id: id, name } of page.projects) {
      if (only !== undefined && id !== only.toLowerCase()) continue;
      count += 1;
      const written = await exportProject(client, id, join(folder, id), signal);
      const missing =
        written.missing.length === 0 ? '' : `; ${written.missing.length} media are missing, see MISSING.txt`;
      terminal.out(`${id}  ${name}${missing}`);
    }
    cursor = page.next;
  }
  // The service says that it does not exist.
  if (only !== undefined && count === 0) await client.projects.get(only, { signal });
  terminal.out(count === 1 ? `1 project is in ${folder}.` : `${count} projects are in ${folder}.`);
}

async function exportProject(
  client: TiercutClient,
  id: string,
  place: string,
  signal: AbortSignal,
): Promise<ArchiveManifest> {
  const known = await wholeFolder(place);
  if (known !== null && (await isCurrent(client, known, signal))) return known;
  const [archive, unpacked] = [`${place}.zip${UNFINISHED}`, `${place}${UNFINISHED}`];
  await saveTo(archive, { stream: await client.projects.archive(id, { signal }) }, { signal });
  const written = await unpackArchive(archive, unpacked);
  for (const file of filesOf(written)) await checkFile(written, file);
  await rm(place, { recursive: true, force: true });
  await rename(unpacked, place);
  await rm(archive);
  return written.manifest;
}

/** What an earlier run has written; null if it is not there, or if files are missing. */
async function wholeFolder(place: string): Promise<ArchiveManifest | null> {
  try {
    const known = await openArchiveFolder(place);
    for (const file of filesOf(known)) await checkFile(known, file, false);
    return known.manifest;
  } catch (error) {
    if (error instanceof ExportError) return null;
    throw error;
  }
}

/** Whether an earlier run has written the same revisions, media and links. */
async function isCurrent(client: TiercutClient, manifest: ArchiveManifest, signal: AbortSignal): Promise<boolean> {
  const id = manifest.project_id;
  const { revisions } = await client.projects.revisions(id, { signal });
  const { links } = await client.projects.links(id, { signal });
  const tags = manifest.revisions.map(({ revision, sha256 }) => `"${revision}.${sha256.slice(0, 16)}"`);
  const sameRevisions =
    tags.join() ===
    revisions
      .map(({ etag }) => etag)
      .toReversed()
      .join();
  const sameLinks = links.map(({ link_id }) => link_id).join() === manifest.links.map(({ link_id }) => link_id).join();
  return sameRevisions && sameLinks && manifest.missing.length === 0;
}
