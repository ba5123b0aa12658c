import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { videoRequest } from '../document/service-requests.ts';
import { mediaFile } from '../media/media-store.ts';
import { service, uploadMedia } from '../session/service.ts';

/** Requests one exact frame from the service. Uploads the files that it lacks first. */
export async function askForFrame(
  project: Project,
  { preset, frame }: { readonly preset: string; readonly frame: number },
  signal: AbortSignal,
): Promise<Blob> {
  for (const field of usedFields(project)) {
    const hash = project.studio.media[field]?.hash;
    const file = hash === undefined ? null : await mediaFile(hash);
    if (hash !== undefined && file !== null) await uploadMedia(hash, file, { signal, onProgress: () => {} });
  }
  return (await service.frame({ ...videoRequest(project), preset, frame }, { signal })).picture;
}
