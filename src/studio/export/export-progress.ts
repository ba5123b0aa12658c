import type { Export, Output } from '../../../packages/client/src/client.ts';

/** How far all formats together were at a time. */
export interface Sample {
  readonly ms: number;
  readonly share: number;
}

export type Outputs = Pick<Export, 'outputs'>;

/** Whether a format still changes by itself. An idle one starts when its download is opened. (C72) */
export function isOpen({ state }: Pick<Output, 'state'>): boolean {
  return state === 'queued' || state === 'rendering';
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
