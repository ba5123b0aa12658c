import { signal } from '@preact/signals';
import { hashesOfRow } from '../../document/episode-table.ts';
import type { EpisodeRow } from '../../document/project.ts';
import { mediaFile, onMediaCame } from '../../media/media-store.ts';
import { quietService, service } from '../../session/service.ts';
import { hasService } from '../../session/service-state.ts';

/** The files of rows, by SHA-256, that neither this browser nor the service has. */
export const missingFiles = signal<ReadonlySet<string>>(new Set());

onMediaCame((hash) => {
  if (missingFiles.value.has(hash)) missingFiles.value = new Set([...missingFiles.value].filter((one) => one !== hash));
});

/** Looks for the files of rows. @param signal absent: a service that does not respond changes nothing. */
export async function lookForFiles(rows: readonly EpisodeRow[], signal?: AbortSignal): Promise<void> {
  const absent: string[] = [];
  for (const hash of new Set(rows.flatMap(hashesOfRow))) if ((await mediaFile(hash)) === null) absent.push(hash);
  if (absent.length === 0) {
    if (missingFiles.value.size > 0) missingFiles.value = new Set();
    return;
  }
  if (!hasService) {
    missingFiles.value = new Set(absent);
    return;
  }
  const asked = signal === undefined ? quietService.known(absent).catch(() => null) : service.known(absent, { signal });
  const known = await asked;
  if (known !== null) missingFiles.value = new Set(absent.filter((hash) => !known.get(hash)?.stored));
}
