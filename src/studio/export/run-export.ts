import { TiercutError } from '../../../packages/client/src/client.ts';
import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { requestOfFormats, videoRequest } from '../document/video-request.ts';
import { projectId } from '../keeping/autosave.ts';
import { saveBeside } from '../keeping/project-store.ts';
import { studioConfig } from '../kit/assets.ts';
import { mediaFile } from '../media/media-store.ts';
import { service } from '../service/service.ts';
import { uploadMedia } from '../service/upload-media.ts';
import { allCame, decided, exported } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import { formatsToMake } from './export-choices.ts';
import { isOpen } from './export-progress.ts';
import { exportStep, isUnderWay, madeFormats, progressSamples } from './export-state.ts';
import { follow, show, stopFollowing } from './follow-export.ts';

let stopping = new AbortController();

/** Uploads the media that the service lacks, sends the documents, and follows the export. */
export async function startExport(): Promise<void> {
  stopFollowing();
  stopping = new AbortController();
  const { signal } = stopping;
  const id = projectId.value;
  progressSamples.value = [];
  try {
    exportStep.value = { step: decided.value.studio.coming === undefined ? 'sending' : 'waiting' };
    await allCame(signal);
    const project = decided.value;
    const formats = formatsToMake();
    exported.value = project;
    madeFormats.value = formats;
    await sendMedia(project, signal);
    exportStep.value = { step: 'sending' };
    const request = requestOfFormats(videoRequest(project), formats, studioConfig.presets);
    const view = await service.create(request, { signal });
    if (signal.aborted) {
      await service.delete(view.export_id);
      return;
    }
    await saveBeside(id, { made: { exportId: view.export_id, project, formats } });
    show(view);
    // The service makes all presets unless they are cancelled. (C12)
    const others = Object.keys(view.outputs).filter((name) => !formats.includes(name));
    await Promise.all(others.map((name) => service.stop(view.export_id, name).catch(() => null)));
    follow(view);
  } catch (error) {
    if (signal.aborted) exportStep.value = { step: 'stopped' };
    else if (error instanceof TiercutError) {
      const [only, ...others] = error.errors;
      const message = only === undefined || others.length > 0 ? error.message : only.message;
      exportStep.value = { step: 'failed', message, issues: error.errors };
    } else {
      const message = error instanceof MissingMedia ? error.message : texts.pageFault;
      exportStep.value = { step: 'failed', message, issues: [] };
    }
  }
}

/** Stops the upload or the render, of one format or of all. Finished outputs stay. */
export async function stopExport(preset: string | null = null): Promise<void> {
  const now = exportStep.value;
  if (now.step !== 'made') {
    stopping.abort();
    stopFollowing();
    return;
  }
  const { export_id: id, outputs } = now.view;
  const open = Object.keys(outputs).filter((name) => isOpen(outputs[name]!));
  const ended = preset === null ? open : [preset];
  const isLast = open.every((name) => ended.includes(name));
  if (isLast && Object.values(outputs).every(({ state }) => state !== 'completed')) {
    stopFollowing();
    await service.delete(id).catch(() => null);
    exportStep.value = { step: 'stopped' };
    await saveBeside(projectId.value, { made: null });
    return;
  }
  await Promise.all(ended.map((name) => service.stop(id, name).catch(() => null)));
  show(await service.status(id));
  if (!isUnderWay(exportStep.value)) stopFollowing();
}

class MissingMedia extends Error {}

async function sendMedia(project: Project, signal: AbortSignal): Promise<void> {
  const entries = [...usedFields(project)].flatMap((field) => project.studio.media[field] ?? []);
  const byHash = [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
  const of = byHash.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const { hash, name, bytes } of byHash) {
    exportStep.value = { step: 'uploading', bytes: before, of, name };
    const file = await mediaFile(hash);
    if (file === null && (await service.has(hash, { signal }))) {
      before += bytes;
      continue;
    }
    if (file === null) throw new MissingMedia(texts.missingFile(name));
    const start = before;
    await uploadMedia(hash, file, {
      signal,
      onProgress: (sent) => {
        exportStep.value = { step: 'uploading', bytes: start + sent, of, name };
      },
    });
    before += bytes;
  }
}
