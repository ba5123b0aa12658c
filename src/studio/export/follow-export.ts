import { askService, ServiceProblem, serviceGone } from '../service/ask-service.ts';
import { type ExportView, exportStep, isUnderWay, renderingSince } from './export-state.ts';

let events: EventSource | null = null;
let leaving = new AbortController();

/** Takes the service's word. */
export function show(view: ExportView): void {
  const now = exportStep.value;
  if (view.progress > 0 && renderingSince.value === null) {
    renderingSince.value = { ms: Date.now(), progress: view.progress };
  }
  exportStep.value = { step: 'made', view, chapters: now.step === 'made' ? now.chapters : null };
}

/** Server-Sent Events come back by themselves after a break, and tell what was missed. (C26) */
export function follow(view: ExportView): void {
  stopFollowing();
  const stream = new EventSource(view.links.events);
  events = stream;
  const take = ({ data }: MessageEvent<string>) => {
    serviceGone.value = false;
    const now = exportStep.value;
    if (now.step !== 'made') return;
    const told = JSON.parse(data) as Partial<ExportView>;
    if (told.state === 'cancelled' || told.state === 'expired') return showGone();
    show({ ...now.view, ...told });
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
    // Any answer but a stream ends an EventSource for good, also one that only asks for patience.
    else void lookAgain(view, leaving.signal).catch(() => {});
  });
}

/** It was deleted: elsewhere, or because its time was over. (C29) */
function showGone(): void {
  stopFollowing();
  exportStep.value = { step: 'stopped' };
}

/** How it stands, once the service answers; and on from there, if anything goes on. */
async function lookAgain({ links }: ExportView, signal: AbortSignal): Promise<void> {
  try {
    const reply = await askService(links.self, () => ({ headers: { accept: 'application/json' }, signal }));
    const view = (await reply.json()) as ExportView;
    signal.throwIfAborted();
    show(view);
    const goesOn = [view, ...Object.values(view.outputs)].some(({ state }) => state === 'rendering');
    if (goesOn || view.state === 'queued') follow(view);
  } catch (error) {
    if (error instanceof ServiceProblem && error.status === 404) showGone();
  }
}

export async function fetchChapters({ links, export_id }: ExportView): Promise<void> {
  const reply = await fetch(links.chapters).catch(() => null);
  const text = reply?.ok ? (await reply.text()).trim() : null;
  const now = exportStep.value;
  if (text !== null && now.step === 'made' && now.view.export_id === export_id) {
    exportStep.value = { ...now, chapters: text };
  }
}

export function stopFollowing(): void {
  leaving.abort(new DOMException('No longer followed.', 'AbortError'));
  leaving = new AbortController();
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
