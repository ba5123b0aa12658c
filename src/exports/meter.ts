import type { JobKind } from '../store/job-queue.ts';

/** The kinds of jobs. */
export type MeteredJob = JobKind;

/** How an attempt at a job ended: well, badly for good, badly for now, or given back unharmed. */
export type JobOutcome = 'done' | 'failed' | 'retried' | 'released';

/** Told what happens, for operators to see. Nothing depends on it, and nobody waits for it. */
export interface Meter {
  /** A job was taken up for the first time, so long after it was added. */
  jobWaited(kind: MeteredJob, seconds: number): void;
  /** An attempt at a job has ended, so long after it began. */
  jobRan(kind: MeteredJob, outcome: JobOutcome, seconds: number): void;
  /** An export, or one of its outputs, has failed for good. */
  exportFailed(code: string): void;
  /** Chunks were looked for before they were rendered. */
  chunksSought(found: number, missing: number): void;
  /** A callback was tried. */
  deliveryTried(outcome: 'delivered' | 'pending' | 'given_up'): void;
}
