/** The state of an export. (C35) */
export type RecordedState = 'queued' | 'rendering' | 'completed' | 'failed' | 'cancelled' | 'expired';

/**
 * The legal changes of state. `rendering` leads back to `queued` when a worker dies. An export can fail or be cancelled
 * before anything is rendered. (C35)
 */
export const LEGAL_MOVES: Readonly<Record<RecordedState, readonly RecordedState[]>> = {
  queued: ['rendering', 'failed', 'cancelled'],
  rendering: ['queued', 'completed', 'failed', 'cancelled'],
  completed: ['expired'],
  failed: ['expired'],
  cancelled: ['expired'],
  expired: [],
};

/** Whether only expiry can follow. */
export function isTerminal(state: RecordedState): boolean {
  return state !== 'queued' && state !== 'rendering';
}

/** @throws a plain Error for an illegal change, which is a bug. */
export function requireLegalMove(from: RecordedState, to: RecordedState): void {
  if (!LEGAL_MOVES[from].includes(to)) throw new Error(`an export cannot go from ${from} to ${to}`);
}
