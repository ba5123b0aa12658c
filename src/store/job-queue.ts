import type { Transaction } from './database.ts';

/** What a worker does in one go: a piece of video, the sound, or putting the pieces together. */
export type JobKind = 'chunk' | 'sound' | 'assembly';

/** What there is to do. */
export interface Job {
  readonly id: string;
  readonly exportId: string;
  readonly kind: JobKind;
  /** The output it is for; null for the sound, which all of them share. */
  readonly preset: string | null;
  /** Which chunk of the output's plan. */
  readonly chunk: number | null;
  /** Higher goes first; among equals the older one. */
  readonly priority: number;
}

/** One try at a job. Only the holder of the newest attempt can end it. */
export interface Attempt {
  readonly job: Job;
  /** 1 for the first. */
  readonly attempt: number;
}

/** What became of a failed attempt: tried again later, given up, or no longer ours to say. */
export type FailureOutcome = 'retried' | 'failed' | 'lost';

/** Hands out work, once at a time. Every adapter passes test/store/job-queue-suite.ts. */
export interface JobQueue {
  /** Adds jobs within the caller's transaction; one whose id is already known is left as it is. */
  enqueue(jobs: readonly Job[], tx: Transaction): Promise<void>;
  /**
   * Takes the most urgent job that is due, under a lease. Among equally urgent ones those of `preferExport` come first,
   * since a render child that is up already serves them.
   */
  claim(preferExport?: string): Promise<Attempt | null>;
  /** Takes one more job of the same kind for the same output, unless something more urgent is due. */
  claimLike(job: Job): Promise<Attempt | null>;
  /** Extends the lease. False: the attempt is no longer ours (cancelled, expired): stop. */
  heartbeat(attempt: Attempt): Promise<boolean>;
  /** Ends the attempt well. False: it was no longer ours, and nothing may come of it. */
  complete(attempt: Attempt, tx: Transaction): Promise<boolean>;
  /** Ends the attempt badly; unless `final`, it is tried again after a pause as long as the limit allows. (C35) */
  fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome>;
  /** Gives the job back untouched, as on shutdown: this attempt does not count against it. */
  release(attempt: Attempt): Promise<void>;
  /** Drops every job of an export, running ones included: their next heartbeat is false. */
  cancel(exportId: string, tx: Transaction): Promise<void>;
  /** Moves the unfinished jobs of an export to at least this urgency; of one output only, if named, and of the sound. */
  raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void>;
  /**
   * Jobs whose lease ran out go back into the queue, or fail for good. Returns those that failed: they are told of once,
   * so what follows from it belongs into the same transaction.
   */
  sweep(tx?: Transaction): Promise<readonly Job[]>;
  /**
   * Resolves when there may be something to claim or to sweep: at once where there is, else after enqueue, release, retry
   * or sweep, when a retry is due and when a lease runs out. So a worker's turn is `sweep`, `claim`, and `changed` where
   * there was nothing; whatever comes in between is not missed.
   *
   * @throws `signal.reason` once that aborts.
   */
  changed(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
