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
  const hashes = [...usedFields(project)].flatMap((field) => project.studio.media[field]?.hash ?? []);
  const known = await service.known(hashes, { signal });
  for (const hash of hashes) {
    const file = await mediaFile(hash);
    if (file !== null) await uploadMedia(hash, file, { signal, known });
  }
  return (await service.frame({ ...videoRequest(project), preset, frame }, { signal })).picture;
}
