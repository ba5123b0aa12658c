import { effect } from '@preact/signals';
import { type Export, TiercutError } from '../../../packages/client/src/client.ts';
import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { requestOfFormats, videoRequest } from '../document/service-requests.ts';
import { projectId } from '../keeping/autosave.ts';
import { readProject, saveBeside } from '../keeping/project-store.ts';
import { studioConfig } from '../kit/assets.ts';
import { withShare } from '../kit/time-left.ts';
import { mediaFile } from '../media/media-store.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { service, uploadMedia } from '../session/service.ts';
import { allCame, decided, exported, planned } from '../session/session.ts';
import * as texts from '../texts/en/export.ts';
import { formatsToMake, onlyFormats } from './export-choices.ts';
import { exportPlace } from './export-place.ts';
import { exportStep, isOpen, isUnderWay, madeFormats, progressSamples, shareOf } from './export-progress.ts';
import { freeMade, madeHere, makeRoom } from './made-here.ts';
import { noteSpeed, pixelsOf } from './place-speeds.ts';

let stopping = new AbortController();
/** The export that this page has started last, and what it renders. */
let begun: { readonly id: string; readonly ms: number; readonly pixels: number } | null = null;

/** Starts an export where it was chosen. */
export async function startExport(): Promise<void> {
  stopFollowing();
  stopping.abort();
  stopping = new AbortController();
  const { signal } = stopping;
  if (exportPlace.value === 'service') return exportOnService(signal);
  const { exportHere } = await import('./export-here.ts');
  if (!signal.aborted) await exportHere(signal);
}

/** Uploads the media that the service lacks, sends the documents, and follows the export. */
async function exportOnService(signal: AbortSignal): Promise<void> {
  const id = projectId.value;
  progressSamples.value = [];
  makeRoom(id);
  try {
    exportStep.value = { step: decided.value.studio.coming === undefined ? 'sending' : 'waiting' };
    await allCame(signal);
    const project = decided.value;
    const formats = formatsToMake();
    exported.value = project;
    madeFormats.value = formats;
    await sendMedia(project, signal);
    exportStep.value = { step: 'sending' };
    const request = { ...requestOfFormats(videoRequest(project), formats, studioConfig.presets), presets: formats };
    const view = await service.create(request, { signal });
    if (signal.aborted) {
      await service.delete(view.export_id);
      return;
    }
    begun = { id: view.export_id, ms: Date.now(), pixels: pixelsOf(plansOf(project, formats)) };
    await saveBeside(id, { made: { exportId: view.export_id, project, formats } });
    show(view);
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

/** The plans of these formats; none if the page has not planned them. */
function plansOf(project: Project, formats: readonly string[]): readonly PackedPlan[] {
  const { of, plans } = planned.value;
  return of === project ? formats.flatMap((name) => plans.get(name) ?? []) : [];
}

class MissingMedia extends Error {}

async function sendMedia(project: Project, signal: AbortSignal): Promise<void> {
  const entries = [...usedFields(project)].flatMap((field) => project.studio.media[field] ?? []);
  const byHash = [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
  const of = byHash.reduce((sum, { bytes }) => sum + bytes, 0);
  const hashes = byHash.map(({ hash }) => hash);
  const known = await service.known(hashes, { signal });
  let before = 0;
  for (const { hash, name, bytes } of byHash) {
    exportStep.value = { step: 'uploading', bytes: before, of, name };
    const file = await mediaFile(hash);
    if (file === null && known.get(hash)?.stored) {
      before += bytes;
      continue;
    }
    if (file === null) throw new MissingMedia(texts.missingFile(name));
    const start = before;
    await uploadMedia(hash, file, {
      signal,
      known,
      onProgress: (sent) => {
        exportStep.value = { step: 'uploading', bytes: start + sent, of, name };
      },
    });
    before += bytes;
  }
}

let leaving = new AbortController();

/** Shows a status from the service. */
function show(all: Export): void {
  const now = exportStep.value;
  const view = onlyFormats(all, madeFormats.value);
  progressSamples.value = withShare(progressSamples.value, shareOf(view), Date.now());
  exportStep.value = { step: 'made', view, chapters: now.step === 'made' ? now.chapters : null };
}

/** Shows the status of an export until it no longer changes or is gone. (C26) */
function follow(view: Export): void {
  stopFollowing();
  const { signal } = leaving;
  void showAll(view, signal).catch((error) => {
    if (!signal.aborted && error instanceof TiercutError && error.status === 404) showGone();
  });
}

async function showAll({ export_id }: Export, signal: AbortSignal): Promise<void> {
  for await (const view of service.follow(export_id, { signal })) {
    const now = exportStep.value;
    if (now.step !== 'made') return;
    if (view.state === 'cancelled' || view.state === 'expired') return showGone();
    show(view);
    if (now.chapters === null && view.state !== 'queued') void fetchChapters(view);
    if (!isUnderWay(exportStep.value)) {
      if (view.state === 'completed' && begun?.id === view.export_id) {
        noteSpeed('service', begun.pixels, Date.now() - begun.ms);
      }
      return;
    }
  }
}

/** The export was deleted: elsewhere, or because its retention ended. (C29) */
function showGone(): void {
  stopFollowing();
  exportStep.value = { step: 'stopped' };
}

async function fetchChapters({ export_id }: Export): Promise<void> {
  const text = await service.chapters(export_id).catch(() => null);
  const now = exportStep.value;
  if (text !== null && now.step === 'made' && now.view.export_id === export_id) {
    exportStep.value = { ...now, chapters: text.trim() };
  }
}

function stopFollowing(): void {
  leaving.abort();
  leaving = new AbortController();
}

let asking: Promise<void> = Promise.resolve();
let projectLeft = new AbortController();

/** Resolves when it is known whether the service has an export of the open project. */
export function pickedUp(): Promise<void> {
  return asking;
}

/** Shows the last export of every project that is opened from now on, running or finished, while the service has it. */
export function pickUpExports(): void {
  effect(() => {
    const id = projectId.value;
    if (id === '') return;
    projectLeft.abort();
    projectLeft = new AbortController();
    const { step } = exportStep.peek();
    // Nothing is known yet of what would be exported.
    if (step === 'waiting') stopping.abort();
    // An upload in progress continues.
    if (step === 'uploading' || step === 'sending') return;
    if (step === 'here' && isUnderWay(exportStep.peek())) return;
    stopFollowing();
    exportStep.value = { step: 'none' };
    exported.value = null;
    // A shared project has no id to find it by.
    freeMade('');
    const made = madeHere(id);
    if (made !== null) {
      exported.value = made.project;
      madeFormats.value = made.formats;
      exportStep.value = made.step.peek();
      asking = Promise.resolve();
      return;
    }
    asking = pickUp(id, projectLeft.signal).catch(() => {});
  });
}

async function pickUp(id: string, signal: AbortSignal): Promise<void> {
  const made = (await readProject(id))?.made;
  if (made === undefined || made === null) return;
  try {
    const view = await service.status(made.exportId, { signal });
    signal.throwIfAborted();
    if (!isOfUse(view)) return await saveBeside(id, { made: null });
    exported.value = made.project;
    madeFormats.value = made.formats ?? null;
    show(view);
    void fetchChapters(view);
    if (isUnderWay(exportStep.value)) follow(view);
  } catch (error) {
    if (error instanceof TiercutError && error.status === 404) await saveBeside(id, { made: null });
  }
}

/** Whether any output is finished or running. Otherwise the button starts a new export. */
function isOfUse({ outputs }: Export): boolean {
  return Object.values(outputs).some((output) => isOpen(output) || output.state === 'completed');
}
