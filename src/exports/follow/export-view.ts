import type { DestinationState, ExportRecord, OutputRecord } from '../../store/export-record.ts';
import { isTerminal } from '../../store/export-state.ts';
import type { Progress } from '../../store/nodes/progress.ts';
import { frames, secondsOf } from '../../time.ts';
import type { ExportView, OutputState, OutputView, ShortView } from '../api/export-view.ts';

/** An export as clients see it; null if it was removed or has expired. (C29, C33) */
export function exportView(record: Omit<ExportRecord, 'uploads'>, progress: Progress): ExportView | null {
  if (record.state === 'expired' || record.state === 'cancelled') return null;
  const isShort = ({ short }: OutputRecord) => short !== null;
  const outputs = record.outputs.filter((o) => !isShort(o)).map((output) => outputView(record.id, output, progress));
  const shorts = record.outputs.filter(isShort).map((output) => shortView(record, output, progress));
  const selected = outputs.find(({ preset }) => preset === record.selectedPreset)!;
  return {
    id: record.id,
    revision: record.revision,
    stateRevision: record.stateRevision,
    settled: isSettled(record),
    state: record.state,
    progress: selected.progress,
    fetching: record.state === 'queued' ? record.fetching : null,
    settings: record.settings,
    // A duration of 0 means that it was never planned.
    durationSeconds: record.totalFrames === 0 ? null : record.durationSeconds,
    outputs,
    shorts,
    warnings: record.warnings,
    createdAtMs: record.createdAtMs,
    expiresAtMs: record.expiresAtMs,
    failure: record.error,
    title: record.title,
    externalId: record.externalId,
  };
}

/** An idle output may never be requested. */
function isSettled({ state, outputs }: Pick<ExportRecord, 'state' | 'outputs'>): boolean {
  const isRendered = outputs.every((output) => output.state !== 'queued' && output.state !== 'rendering');
  const isSent = outputs.every(({ destination }) => destination === null || SENT_OR_NOT.has(destination.state));
  return isTerminal(state) && isRendered && isSent;
}

const SENT_OR_NOT: ReadonlySet<DestinationState> = new Set(['sent', 'failed']);

function outputView(id: string, output: OutputRecord, progress: Progress): OutputView {
  const { preset, width, height, bytes, sha256, destination } = output;
  const state: OutputState = output.state === 'waiting' ? 'idle' : output.state;
  const share = progress.share(id, { ...output, completed: output.state === 'completed' });
  return { preset, state, progress: share, width, height, bytes, sha256, failure: output.error, destination };
}

function shortView(
  { id, settings }: Pick<ExportRecord, 'id' | 'settings'>,
  output: OutputRecord,
  progress: Progress,
): ShortView {
  const { number, title, startFrame } = output.short!;
  const seconds = (count: number) => secondsOf(frames(count), settings.rate);
  const times = { startSeconds: seconds(startFrame), durationSeconds: seconds(output.totalFrames) };
  return { ...outputView(id, output, progress), number, title, ...times };
}
