import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { requestFields } from '../document/request-fields.ts';
import { mediaFile } from '../media/media-store.ts';
import { askService } from '../service/ask-service.ts';
import { uploadMedia } from '../service/upload-media.ts';

/** One frame as it will be exported, made by the service, which gets the files it does not have first. */
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
  const reply = await askService('/video/frames', () => {
    const body = new FormData();
    for (const [name, text] of Object.entries(requestFields(project))) body.set(name, text);
    body.set('frame', String(frame));
    body.set('preset', preset);
    return { method: 'POST', headers: { accept: 'image/png' }, body, signal };
  });
  return reply.blob();
}
