import { workerScope } from '../kit/worker-scope.ts';
import { type Keepable, keep, type Saving } from './project-store.ts';
import { holdReserve } from './reserve.ts';

export type KeepOrder = Keepable & { readonly number: number };

export interface KeepReply {
  readonly number: number;
  readonly outcome: Saving;
}

/** Each save reads and writes all versions, which would block the page for too long with a large project. */
workerScope.onmessage = async ({ data }: MessageEvent<KeepOrder>) => {
  const outcome = await keep(data);
  workerScope.postMessage({ number: data.number, outcome } satisfies KeepReply);
  if (outcome === 'saved') await holdReserve();
};
