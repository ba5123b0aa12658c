import type { Transaction } from './database.ts';

/** What a worker does in one job: renders chunks, renders the sound, or assembles the video. */
export type JobKind = 'chunks' | 'sound' | 'assembly';

/** How urgent a job is among its tenant's own: what was asked for, and what may follow. (C12) */
export const PRIORITY = { selected: 200, other: 100 } as const;

/** What there is to do. The id says what it is for, so that adding it twice adds nothing. */
export interface Job {
  readonly id: string;
  /** Whose turn it takes. */
  readonly tenant: string;
  readonly exportId: string;
  readonly kind: JobKind;
  /** The outputs it is for, whose plans have its chunks in common; none for the sound, which all of them share. */
  readonly presets: readonly string[];
  /** Adjacent chunks of the outputs' plans, few enough to be one turn; null for the other kinds. */
  readonly chunks: { readonly first: number; readonly count: number } | null;
  /** Higher goes first among the tenant's own; of a claimed job: as urgent as it had become. */
  readonly priority: number;
}

/** One try at a job. Only the holder of the newest can end it. */
export interface Attempt {
  readonly job: Job;
  /** Rises with every claim: it tells the newest holder from all before. */
  readonly token: number;
  /** How many tries before this one count as failed. */
  readonly failures: number;
  /**
   * Its worker died twice, and this job may be why: it is to be run with nothing else on its node, so that it takes no other
   * down. (C35)
   */
  readonly alone: boolean;
  /** How long ago the job was added. */
  readonly waitedMs: number;
  /** Tried too often: not to be run, only to be ended, with `fail` and in the transaction that records it. (C35) */
  readonly exhausted: boolean;
  /**
   * Another node has the same attempt. Each of them can complete it, and the first one does; a copy ends in no other way:
   * `fail`, `release` and `divide` change nothing. (H41)
   */
  readonly isCopy: boolean;
}

/** When a job of chunks is copied. (H41) */
export const COPIES = {
  /** It runs for longer than so many medians of the export's finished jobs, in proportion to its chunks. */
  slowness: 2,
  /** … and for at least this long. */
  leastMs: 2_000,
  /** An export has one copy for so many of its jobs, and one more. */
  jobsACopy: 8,
} as const;

/** A job whose workers died so often may be why: it runs alone from then on. */
const DEATHS_BEFORE_ALONE = 2;
/**
 * So many deaths end a job. Kills from outside are no fault of its own, and a machine that is slow and killed every few seconds
 * meets the same job five times in a row: one that takes its node down each time is ended all the same.
 */
const MOST_DEATHS = 10;

/** What an attempt's place in the count is: failures that its workers lived to tell, and deaths that they did not. (C35) */
export function countTries(
  { failed, deaths }: { readonly failed: number; readonly deaths: number },
  maxAttempts: number,
): Pick<Attempt, 'failures' | 'alone' | 'exhausted' | 'isCopy'> {
  const exhausted = failed >= maxAttempts || deaths >= MOST_DEATHS;
  return { failures: failed, alone: deaths >= DEATHS_BEFORE_ALONE, exhausted, isCopy: false };
}

/** What became of a failed attempt: tried again later, given up, or no longer ours to say. */
export type FailureOutcome = 'retried' | 'failed' | 'lost';

/** Hands out work, once at a time. Every adapter passes test/store/job-queue-suite.ts. */
export interface JobQueue {
  /** How often the holder of an attempt must renew it; two renewals may be missed. */
  readonly heartbeatMs: number;
  /** Adds jobs within the caller's transaction; one whose id is known is left as it is. */
  enqueue(jobs: readonly Job[], tx: Transaction): Promise<void>;
  /**
   * Takes a due job under a lease. Tenants take turns, whatever they have waiting. Of a tenant's own the most urgent goes
   * first, among equals the oldest; one that has waited for long is as urgent as what was asked for. A job whose worker
   * went silent is due again.
   */
  claim(): Promise<Attempt | null>;
  /**
   * For a worker without a job: takes a copy of the attempt at chunks that has run longest on another node, if it is slow by
   * `COPIES`, has no copy yet, and no attempt before it has failed. `running` has the ids of the jobs on this node.
   */
  claimCopy(running: ReadonlySet<string>): Promise<Attempt | null>;
  /** Extends the lease. False: the attempt is no longer ours (cancelled, expired): stop. */
  heartbeat(attempt: Attempt): Promise<boolean>;
  /** Ends the attempt well. False: it was no longer ours, and nothing may come of it. */
  complete(attempt: Attempt, tx: Transaction): Promise<boolean>;
  /** Ends it badly; unless `final`, the job is tried again after a pause as long as the limit allows. (C35) */
  fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome>;
  /** Gives the job back at once, as on shutdown: this attempt does not count. */
  release(attempt: Attempt): Promise<void>;
  /**
   * Ends an attempt at a job for several outputs and gives each of them a job of its own, as urgent and as old, so that one
   * that fails takes none of the others along. With a `reason` the attempt has failed and counts, for each of them; null:
   * it was not begun. False: it was no longer ours.
   */
  divide(attempt: Attempt, reason: string | null, tx: Transaction): Promise<boolean>;
  /**
   * Gives an output that someone waits for jobs of its own, in the place of those that it shares with others and that nobody
   * has begun. What remains of these goes to the end, and is no more urgent than `restPriority`.
   */
  setApart(exportId: string, preset: string, restPriority: number, tx: Transaction): Promise<void>;
  /**
   * Drops every job of an export, running ones included; `onCancelled`, given when opening, hears of it in every process.
   * Of one output only, if named: a job for others as well stays, for those.
   */
  cancel(exportId: string, preset: string | null, tx: Transaction): Promise<void>;
  /**
   * Makes the unfinished jobs of an export at least this urgent; of one output only, if named, and of the sound. It lapses
   * by itself after a while: a client that still waits raises it again. (C12)
   */
  raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void>;
  /** How many jobs wait, those in a pause included, and how many are being done. */
  count(): Promise<{ readonly waiting: number; readonly running: number }>;
  /**
   * Resolves when there may be something to claim: at once where there is, else after enqueue, release or retry, when a
   * retry is due and when a lease runs out. So a worker's turn is `claim`, and `changed` where there was nothing; whatever
   * comes in between is not missed.
   *
   * @throws `signal.reason` once that aborts.
   */
  changed(signal: AbortSignal): Promise<void>;
  /** Whether a worker that is alive has a job of the export. */
  isRunning(exportId: string, tx: Transaction): Promise<boolean>;
  close(): Promise<void>;
}
