import { type Export, TiercutError } from '../../../packages/client/src/client.ts';
import { service } from '../service/service.ts';
import { onlyFormats } from './export-choices.ts';
import { withSample } from './export-progress.ts';
import { exportStep, isUnderWay, madeFormats, progressSamples } from './export-state.ts';

let leaving = new AbortController();

/** Shows a status from the service. */
export function show(all: Export): void {
  const now = exportStep.value;
  const view = onlyFormats(all, madeFormats.value);
  progressSamples.value = withSample(progressSamples.value, view, Date.now());
  exportStep.value = { step: 'made', view, chapters: now.step === 'made' ? now.chapters : null };
}

/** Shows the status of an export until it no longer changes or is gone. (C26) */
export function follow(view: Export): void {
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
    if (!isUnderWay(exportStep.value)) return;
  }
}

/** The export was deleted: elsewhere, or because its retention ended. (C29) */
function showGone(): void {
  stopFollowing();
  exportStep.value = { step: 'stopped' };
}

export async function fetchChapters({ export_id }: Export): Promise<void> {
  const text = await service.chapters(export_id).catch(() => null);
  const now = exportStep.value;
  if (text !== null && now.step === 'made' && now.view.export_id === export_id) {
    exportStep.value = { ...now, chapters: text.trim() };
  }
}

export function stopFollowing(): void {
  leaving.abort();
  leaving = new AbortController();
}
