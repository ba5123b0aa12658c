import { serviceGone } from '../service/ask-service.ts';
import { type ExportView, exportStep, isUnderWay, renderingSince } from './export-state.ts';

let events: EventSource | null = null;

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

export async function fetchChapters({ links, export_id }: ExportView): Promise<void> {
  const reply = await fetch(links.chapters).catch(() => null);
  const text = reply?.ok ? (await reply.text()).trim() : null;
  const now = exportStep.value;
  if (text !== null && now.step === 'made' && now.view.export_id === export_id) {
    exportStep.value = { ...now, chapters: text };
  }
}

export function stopFollowing(): void {
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
