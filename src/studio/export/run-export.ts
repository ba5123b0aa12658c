import { usedFields } from '../document/media-commands.ts';
import type { Project } from '../document/project.ts';
import { mediaFile } from '../media/media-store.ts';
import { askService, ServiceProblem, serviceGone } from '../service/ask-service.ts';
import { uploadMedia } from '../service/upload-media.ts';
import { allCame, decided } from '../session.ts';
import { type ExportView, exported, exportStep, isUnderWay, renderingSince } from './export-state.ts';

let stopping = new AbortController();
let events: EventSource | null = null;

/** Sends the media that the service does not have, then the documents, and follows what becomes of them. */
export async function startExport(): Promise<void> {
  stopFollowing();
  stopping = new AbortController();
  const { signal } = stopping;
  renderingSince.value = null;
  try {
    if (decided.value.studio.coming !== undefined) exportStep.value = { step: 'waiting' };
    await allCame(signal);
    const project = decided.value;
    exported.value = project;
    await sendMedia(project, signal);
    exportStep.value = { step: 'sending' };
    const idempotencyKey = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const headers = { accept: 'application/json', prefer: 'respond-async', 'idempotency-key': idempotencyKey };
    const reply = await askService('/video/exports', () => ({
      method: 'POST',
      headers,
      body: formOf(project),
      signal,
    }));
    const view = (await reply.json()) as ExportView;
    if (signal.aborted) {
      await fetch(view.links.self, { method: 'DELETE' });
      return;
    }
    show(view);
    follow(view);
  } catch (error) {
    if (signal.aborted) exportStep.value = { step: 'stopped' };
    else if (error instanceof ServiceProblem) {
      exportStep.value = { step: 'failed', message: error.message, issues: error.issues };
    } else {
      const message = error instanceof MissingMedia ? error.message : 'Something went wrong here in the page.';
      exportStep.value = { step: 'failed', message, issues: [] };
    }
  }
}

/** Stops what goes on: the upload here, the render there. What is finished stays. */
export async function stopExport(): Promise<void> {
  const now = exportStep.value;
  stopping.abort(new DOMException('Stopped.', 'AbortError'));
  stopFollowing();
  if (now.step === 'made') {
    await fetch(now.view.links.self, { method: 'DELETE', credentials: 'same-origin' }).catch(() => null);
    exportStep.value = { step: 'stopped' };
  }
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
    if (file === null) throw new MissingMedia(`${name} is not in this browser any more: drop it here once more.`);
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

/** The fields of the request, as texts. */
export function requestFields(project: Project): Readonly<Record<string, string>> {
  const { tier_list, timeline_data, settings, studio } = project;
  const refs = [...usedFields(project)].flatMap((field) => {
    const entry = studio.media[field];
    return entry === undefined ? [] : [[field, entry.hash]];
  });
  return {
    tier_list: JSON.stringify(tier_list),
    timeline_data: JSON.stringify(timeline_data),
    settings: JSON.stringify(settings),
    media_refs: JSON.stringify(Object.fromEntries(refs)),
  };
}

function formOf(project: Project): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(requestFields(project))) form.set(name, text);
  return form;
}

function show(view: ExportView): void {
  const now = exportStep.value;
  if (view.progress > 0 && renderingSince.value === null) {
    renderingSince.value = { ms: Date.now(), progress: view.progress };
  }
  exportStep.value = { step: 'made', view, chapters: now.step === 'made' ? now.chapters : null };
}

/** Server-Sent Events come back by themselves after a break, and tell what was missed. (C26) */
function follow(view: ExportView): void {
  stopFollowing();
  const stream = new EventSource(view.links.events);
  events = stream;
  const take = ({ data }: MessageEvent<string>) => {
    serviceGone.value = false;
    const now = exportStep.value;
    if (now.step !== 'made') return;
    show({ ...now.view, ...(JSON.parse(data) as Partial<ExportView>) });
    const after = exportStep.value;
    if (after.step === 'made' && after.chapters === null && after.view.state !== 'queued')
      void fetchChapters(after.view);
    if (!isUnderWay(exportStep.value)) stopFollowing();
  };
  stream.addEventListener('state', take);
  stream.addEventListener('progress', take);
  stream.addEventListener('open', () => {
    serviceGone.value = false;
  });
  stream.addEventListener('error', () => {
    if (stream.readyState === EventSource.CONNECTING) serviceGone.value = true;
  });
}

async function fetchChapters({ links, export_id }: ExportView): Promise<void> {
  const reply = await fetch(links.chapters).catch(() => null);
  const text = reply?.ok ? (await reply.text()).trim() : null;
  const now = exportStep.value;
  if (text !== null && now.step === 'made' && now.view.export_id === export_id) {
    exportStep.value = { ...now, chapters: text };
  }
}

function stopFollowing(): void {
  events?.close();
  events = null;
}

/** How long a shape will take yet, at the pace so far; null: too early to say. */
export function secondsLeft(share: number): number | null {
  const since = renderingSince.value;
  if (since === null || share <= 0.02) return null;
  const elapsed = (Date.now() - since.ms) / 1000;
  return elapsed < 2 ? null : Math.ceil((elapsed * (1 - share)) / share);
}
