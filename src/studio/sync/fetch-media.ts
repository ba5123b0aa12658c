import type { MediaEntry, Project } from '../document/project.ts';
import { later } from '../kit/later.tsx';
import { examine } from '../media/import-files.ts';
import { keepMedia, mediaFile } from '../media/media-store.ts';
import { thumbCame } from '../media/thumbs.ts';

/** Returns the bytes of a file by their SHA-256. */
export type MediaOrigin = (sha256: string, signal: AbortSignal) => Promise<Blob>;

const reader = later(() => import('./read-wire-project.ts'));

/** A stored project with the facts of its files. @throws ExportError if it is not a project. */
export async function readStored(
  document: Readonly<Record<string, unknown>>,
  origin: MediaOrigin,
  signal: AbortSignal,
): Promise<Project> {
  const { project, unknown } = (await reader()).readWireProject(document);
  const media: Record<string, MediaEntry> = { ...project.studio.media };
  for (const [field, hash] of Object.entries(unknown)) {
    const found = await fetchOne(hash, origin, signal);
    if (found !== null) media[field] = { ...found, name: field };
  }
  return { ...project, studio: { ...project.studio, media } };
}

/**
 * Fetches the files of a project that this browser lacks, the smallest first, so that pictures come before clips. A file that cannot be
 * fetched stays missing, and the studio reports it at its entry.
 */
export async function fetchAbsent({ studio }: Project, origin: MediaOrigin, signal: AbortSignal): Promise<void> {
  const bySize = Object.values(studio.media).sort((a, b) => a.bytes - b.bytes);
  for (const hash of new Set(bySize.map((entry) => entry.hash))) {
    if ((await mediaFile(hash)) === null) await fetchOne(hash, origin, signal);
    if (signal.aborted) return;
  }
}

/** null if it cannot be fetched or has the wrong content. */
async function fetchOne(
  hash: string,
  origin: MediaOrigin,
  signal: AbortSignal,
): Promise<Omit<MediaEntry, 'name'> | null> {
  try {
    const file = await origin(hash, signal);
    const found = await examine(file);
    if ('fault' in found || found.hash !== hash) return null;
    await keepMedia(hash, file, found.thumb);
    thumbCame(hash, found.facts.kind, found.thumb);
    return { ...found.facts, hash, bytes: file.size, type: '' };
  } catch {
    return null;
  }
}
