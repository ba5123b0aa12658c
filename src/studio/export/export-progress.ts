import type { Export, Output } from '../../../packages/client/src/client.ts';

/** How far all formats together were at a time. */
export interface Sample {
  readonly ms: number;
  readonly share: number;
}

/** A pace is that of the last minute: what stood still before, or ran before, says nothing of it. */
const WINDOW_MS = 60_000;
/** Less than this is too little to tell a pace from. */
const LEAST_MS = 8000;
const LEAST_SHARE = 0.03;
/** After so long without a sign of progress, that is said. */
const QUIET_MS = 20_000;

type Outputs = Pick<Export, 'outputs'>;

/** Whether a format still changes by itself. An idle one starts when its download is opened. (C72) */
export function isOpen({ state }: Pick<Output, 'state'>): boolean {
  return state === 'queued' || state === 'rendering';
}

function isStopped({ error }: Pick<Output, 'error'>): boolean {
  return error?.code === 'output.stopped';
}

/** How far the export is, 0 to 1: all formats that are made or to be made count. */
export function shareOf({ outputs }: Outputs): number {
  const counted = Object.values(outputs).filter((output) => isOpen(output) || output.state === 'completed');
  if (counted.length === 0) return 0;
  const done = counted.reduce((sum, { state, progress }) => sum + (state === 'completed' ? 1 : progress), 0);
  return done / counted.length;
}

/** The samples with one more. A share that has not changed is the same sample; one that has fallen begins anew. */
export function withSample(samples: readonly Sample[], view: Outputs, ms: number): readonly Sample[] {
  const share = shareOf(view);
  const last = samples.at(-1);
  if (last?.share === share) return samples;
  const known = last !== undefined && share < last.share ? [] : samples;
  return [...known, { ms, share }].slice(-500);
}

/** How long it will take yet, at the pace of the last minute; null: nothing to tell it from. */
function secondsLeft(samples: readonly Sample[], nowMs: number): number | null {
  const last = samples.at(-1);
  const first = samples.find(({ ms }) => nowMs - ms <= WINDOW_MS);
  if (first === undefined || last === undefined) return null;
  const [gained, elapsedMs] = [last.share - first.share, nowMs - first.ms];
  if (gained < LEAST_SHARE || elapsedMs < LEAST_MS) return null;
  return Math.ceil((((1 - last.share) / gained) * elapsedMs) / 1000);
}

/** "About 40 s left", or what else is known of the time it takes; null: nothing. */
export function timeWords(samples: readonly Sample[], nowMs: number): string | null {
  const last = samples.at(-1);
  if (last !== undefined && nowMs - last.ms >= QUIET_MS) {
    return `No progress for ${spanWords((nowMs - last.ms) / 1000)}. The service tries again by itself where a render stands still.`;
  }
  const left = secondsLeft(samples, nowMs);
  return left === null ? null : `About ${spanWords(left)} left.`;
}

function spanWords(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds / 5) * 5} s` : `${Math.round(seconds / 60)} min`;
}

/** What happens to a format. */
export function stateWords(output: Output): string {
  if (output.state === 'completed') return 'Ready';
  if (isStopped(output) || output.state === 'cancelled') return 'Stopped';
  if (output.error !== undefined) return output.error.detail;
  if (output.state === 'failed') return 'Failed';
  const percent = `${Math.floor(output.progress * 100)} %`;
  if (output.state === 'rendering') return output.progress === 0 ? 'Starting' : percent;
  if (output.state !== 'queued') return 'Not started';
  return output.progress === 0 ? 'Waits for its turn' : `${percent} · interrupted, waits to go on`;
}

/** What happens as a whole. */
export function exportTitle({ outputs, error }: Pick<Export, 'outputs' | 'error'>): string {
  const all = Object.values(outputs);
  if (all.some(({ state }) => state === 'rendering')) return 'Your video is rendering';
  if (all.some(isOpen)) return 'Your video waits for its turn';
  if (error !== undefined && error.code !== 'output.stopped') return 'The export failed';
  return all.some(isStopped) ? 'Stopped' : 'Your video is ready';
}

const COUNT = ['None', 'One', 'Two', 'Three'];

/** How many formats are ready. */
export function readyWords({ outputs }: Outputs): string {
  const all = Object.values(outputs);
  const ready = all.filter(({ state }) => state === 'completed').length;
  const total = (COUNT[all.length] ?? String(all.length)).toLowerCase();
  if (all.length === 1) return ready === 1 ? 'The format is ready.' : 'The format is not ready yet.';
  if (ready === all.length) return `${all.length === 2 ? 'Both' : `All ${total}`} formats are ready.`;
  return `${COUNT[ready] ?? ready} of the ${total} formats ${ready > 1 ? 'are' : 'is'} ready.`;
}
