/** Where an export is in its life. (C35) */
export type RecordedState = 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired';

/**
 * Where each state may lead. A worker's death leads back from `rendering`; what is wrong with the media may show, and a
 * client may change its mind, before anything is rendered. (C35)
 */
export const LEGAL_MOVES: Readonly<Record<RecordedState, readonly RecordedState[]>> = {
  queued: ['rendering', 'failed', 'cancelled'],
  rendering: ['queued', 'completed', 'failed', 'cancelled'],
  completed: ['expired'],
  failed: ['expired'],
  cancelled: ['expired'],
  expired: [],
};

/** True where nothing but expiry can happen any more. */
export function isTerminal(state: RecordedState): boolean {
  return state !== 'queued' && state !== 'rendering';
}

/** @throws a plain Error for a move that is not allowed: a bug of ours. */
export function requireLegalMove(from: RecordedState, to: RecordedState): void {
  if (!LEGAL_MOVES[from].includes(to)) throw new Error(`an export cannot go from ${from} to ${to}`);
}
