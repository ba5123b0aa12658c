import type { Seconds } from '../time.ts';

/** What one child may take before it is ended. All of it is watched from the parent; memory and files by the kernel too. */
export interface ChildLimits {
  /** Resident memory. */
  readonly rssBytes: number;
  /** How long a request may go on without getting any further. */
  readonly stallMs: number;
  /** How long the child may be at work in all, waiting between requests not counted. */
  readonly budgetMs: number;
  /** The longest file it may write. */
  readonly fileBytes: number;
}

const BUDGET_BASE_MS = 30_000;
const BUDGET_FACTOR = 40;

/** The usual limits for an export of this length. */
export function childLimits(duration: Seconds): ChildLimits {
  return {
    rssBytes: 3 * 2 ** 30,
    stallMs: 60_000,
    budgetMs: BUDGET_BASE_MS + BUDGET_FACTOR * duration * 1000,
    fileBytes: 64 * 2 ** 30,
  };
}
