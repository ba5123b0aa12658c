import { createHash } from 'node:crypto';
import type { Transaction } from './database.ts';

/**
 * What is done in one job: chunks or the sound of a video are rendered, or the video is assembled; the files of an
 * export are fetched; captions are made; a finished video is sent to its destination; the next event is sent to a
 * webhook.
 */
export type JobKind = 'chunks' | 'sound' | 'assembly' | 'fetch' | 'captions' | 'destination' | 'webhook';

/** Jobs of a lane have the same workers and take turns. Each lane has its own turns. (C91) */
export type Lane = 'render' | Exclude<JobKind, 'chunks' | 'sound' | 'assembly'>;

/**
 * The priority of a job among those of its tenant: the selected preset, the others (C12), and all presets of an export of
 * a batch (C85).
 */
export const PRIORITY = { selected: 200, other: 100, batch: 20 } as const;

/** Jobs below this priority wait for all others of their tenant, however long. (C85) */
export const PATIENT_FROM = 50;

/** A unit of work. The id names its content, so enqueueing it twice has no effect. */
export interface Job {
  readonly id: string;
  /** The tenant whose turn it takes. */
  readonly tenant: string;
  /** The export that it belongs to; of a job for captions, their id. */
  readonly exportId: string;
  readonly kind: JobKind;
  /** The outputs that it is for, whose plans share its chunks; empty for the sound, which all outputs share. */
  readonly presets: readonly string[];
  /** Adjacent chunks of the plans, few enough for a short job; null for the other kinds. */
  readonly chunks: { readonly first: number; readonly count: number } | null;
  /** Higher goes first within a tenant; from 0 to 511. Of a claimed job: its current priority, including raises. */
  readonly priority: number;
  /** What a node must have for it, such as a speech model; absent: nothing. */
  readonly needs?: string;
}

/** What a worker asks for. */
export interface Wanted {
  readonly lane: Lane;
  /** Tenants that have enough in progress on this node. */
  readonly except?: readonly string[];
  /** What this node has. Jobs that need something else are left to other nodes. */
  readonly has?: readonly string[];
}

/** What a render worker asks for. */
export const RENDER: Wanted = { lane: 'render' };

/** The only job of its kind and of its export: of captions, of a fetch, of a webhook, or of the destination of an output. */
export function singleJob(
  kind: Exclude<Lane, 'render'>,
  { id, tenant }: { readonly id: string; readonly tenant: string },
  {
    preset,
    needs,
    priority = PRIORITY.other,
  }: { readonly preset?: string; readonly needs?: string; readonly priority?: number } = {},
): Job {
  const presets = preset === undefined ? [] : [preset];
  const of = { tenant, exportId: id, kind, presets, chunks: null, priority };
  return { id: [kind, id, ...presets].join('/'), ...of, ...(needs === undefined ? {} : { needs }) };
}

/** Receivers take turns like tenants, and share a turn if there are many. */
const RECEIVER_TURNS = 64;

/** The job that sends the events of an export, or of a batch, to its `callback_url`, one after the other. */
export function webhookJob({ id, callbackUrl }: { readonly id: string; readonly callbackUrl: string | null }): Job {
  return receiverJob(id, callbackUrl === null ? '' : new URL(callbackUrl).origin);
}

/** The same to a registered webhook. Its turn stays when its address changes. */
export function registeredJob({ id, tenant }: { readonly id: string; readonly tenant: string }, webhook: string): Job {
  return receiverJob(id, `${tenant}/${webhook}`, webhook);
}

function receiverJob(id: string, receiver: string, preset?: string): Job {
  const turn = createHash('sha256').update(receiver).digest().readUInt16BE() % RECEIVER_TURNS;
  return singleJob('webhook', { id, tenant: `receiver ${turn}` }, preset === undefined ? {} : { preset });
}

export function laneOf({ kind }: Pick<Job, 'kind'>): Lane {
  return kind === 'chunks' || kind === 'sound' || kind === 'assembly' ? 'render' : kind;
}

/** One try of a job. Only the holder of the newest try can end it. */
export interface Attempt {
  readonly job: Job;
  /** Rises with every claim; it identifies the newest holder. */
  readonly token: number;
  /** How many earlier tries count as failed. */
  readonly failures: number;
  /**
   * Whether its worker died twice. This job may be the cause, so it runs alone on its node and cannot take others down.
   * (C35)
   */
  readonly alone: boolean;
  /** The time since the job was enqueued. */
  readonly waitedMs: number;
  /** Tried too often: do not run it, only end it with `fail`, in the transaction that records it. (C35) */
  readonly exhausted: boolean;
  /**
   * Whether another node runs the same try. The first of the two completes it; a copy has no other end: `fail`,
   * `release` and `divide` have no effect. (H41)
   */
  readonly isCopy: boolean;
}

/** When a job of chunks is copied. (H41) */
export const COPIES = {
  /** It runs longer than this many medians of the export's finished jobs, in proportion to its chunks. */
  slowness: 2,
  /** It also runs for at least this long. */
  minMs: 2_000,
  /** An export may have one copy for this many jobs, plus one. */
  jobsACopy: 8,
} as const;

/** How often a job is tried, and how long the pauses between its tries are. (C35) */
interface Retries {
  readonly tries: number;
  /** The pause after the first, second … failure. */
  readonly pauseMs: (failures: number) => number;
}

/** Seconds before the second, third … try of what is sent to others: the schedule that Standard Webhooks suggests, within a day. */
const SENDING_S: readonly number[] = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600];
const SENDING: Retries = { tries: SENDING_S.length + 1, pauseMs: (failures) => SENDING_S[failures - 1]! * 1000 };
/** Only a fault of the service is retried, which can be temporary. */
const OWN_FAULTS: Retries = { tries: 5, pauseMs: () => 10_000 };

export const RETRIES: Readonly<Record<Lane, Retries>> = {
  render: { tries: 3, pauseMs: (failures) => 1_000 * 2 ** (failures - 1) },
  fetch: OWN_FAULTS,
  captions: OWN_FAULTS,
  destination: SENDING,
  webhook: SENDING,
};

/** When a job is tried again after so many failures, in milliseconds from now; null: never. */
export function nextTryInMs(failures: number, { tries, pauseMs }: Retries): number | null {
  return failures >= tries ? null : pauseMs(failures);
}

/** No pause is longer. A job that waits longer has waited since before the clock was set back. */
export function longestPauseMs({ tries, pauseMs }: Retries): number {
  return Math.max(0, ...Array.from({ length: tries - 1 }, (_, failures) => pauseMs(failures + 1)));
}

/** After this many deaths of its workers, a job may be the cause and runs alone. */
const DEATHS_BEFORE_ALONE = 2;
/**
 * This many deaths end a job. Kills from outside are not its fault, and a slow machine that is killed every few seconds
 * meets the same job five times in a row. A job that kills its node each time must still end.
 */
const MAX_DEATHS = 10;

/** Counts the tries: reported failures, and deaths of workers. (C35) */
export function countTries(
  { failed, deaths }: { readonly failed: number; readonly deaths: number },
  { tries }: Retries,
): Pick<Attempt, 'failures' | 'alone' | 'exhausted' | 'isCopy'> {
  const exhausted = failed >= tries || deaths >= MAX_DEATHS;
  return { failures: failed, alone: deaths >= DEATHS_BEFORE_ALONE, exhausted, isCopy: false };
}

/** The result of a failed try: it is retried later, it failed permanently, or the lease was lost. */
export type FailureOutcome = 'retried' | 'failed' | 'lost';

/** Hands out each job to one worker at a time. Every adapter passes test/store/job-queue-suite.ts. */
export interface JobQueue {
  /** How often the holder must renew its lease; two renewals may be missed. */
  readonly heartbeatMs: number;
  /** Enqueues jobs within the caller's transaction. A job with a known id is not changed. */
  enqueue(jobs: readonly Job[], tx: Transaction): Promise<void>;
  /**
   * Claims a due job with a lease. Tenants take turns, however much they have waiting. (C91) Within a tenant, the highest
   * priority goes first, then the oldest; a job that has waited long gets the priority of a selected preset, unless it is of
   * a batch. A job
   * whose lease expired is due again.
   *
   * @param wanted a job of a render worker if absent.
   */
  claim(wanted?: Wanted): Promise<Attempt | null>;
  /**
   * For an idle worker: takes a copy of the chunk job that has run longest on another node, if it is slow by `COPIES`,
   * has no copy yet, and had no failed try. `running` has the ids of the jobs on this node.
   */
  claimCopy(running: ReadonlySet<string>): Promise<Attempt | null>;
  /** Renews the lease. False if it is lost (cancelled, expired): stop. */
  heartbeat(attempt: Attempt): Promise<boolean>;
  /**
   * Completes the try. False if the lease is lost; its result must not be used then. Jobs of a render worker stay known
   * for ten minutes at least, unless they are cancelled; others are forgotten at their end, and can be enqueued again.
   */
  complete(attempt: Attempt, tx: Transaction): Promise<boolean>;
  /** Fails the try. Unless `final`, the job is retried after a pause, up to the limit of its lane. (C35) */
  fail(attempt: Attempt, reason: string, final: boolean, tx: Transaction): Promise<FailureOutcome>;
  /** Releases the job at once, as on shutdown; this try does not count. */
  release(attempt: Attempt): Promise<void>;
  /**
   * Ends a try of a job for several outputs and gives each output a job of its own with the same priority and age, so
   * that one failure does not affect the others. With a `reason` the try has failed and counts for each of them; with
   * null it did not start. False if the lease is lost.
   */
  divide(attempt: Attempt, reason: string | null, tx: Transaction): Promise<boolean>;
  /**
   * Gives an awaited output jobs of its own, in place of shared jobs that have not started. The rest of these jobs goes
   * to the end of the queue, with `restPriority` at most.
   */
  setApart(exportId: string, preset: string, restPriority: number, tx: Transaction): Promise<void>;
  /**
   * Drops every render job of an export, including running ones; calls `onCancelled` (an option of the queue) in every
   * process. With a preset, only that output's jobs; a shared job stays for the others.
   */
  cancel(exportId: string, preset: string | null, tx: Transaction): Promise<void>;
  /** Drops jobs of other lanes, including running ones. No error if they do not exist. */
  drop(jobs: readonly Pick<Job, 'id' | 'tenant' | 'kind' | 'needs'>[], tx: Transaction): Promise<void>;
  /**
   * Raises the unfinished jobs of an export to at least this priority; with a preset, only those of that output and of
   * the sound. The raise expires; a client that still waits renews it. (C12)
   */
  raise(exportId: string, preset: string | null, priority: number, tx: Transaction): Promise<void>;
  /** How many render jobs wait, including pauses, and how many run, as of some seconds ago. */
  count(): Promise<{ readonly waiting: number; readonly running: number }>;
  /**
   * Resolves when there may be something to claim: at once if there is, else after enqueue, release or retry, when a
   * retry is due and when a lease expires. A worker calls `claim`, and `changed` with the same wish if there was
   * nothing; no job in between is missed.
   *
   * @throws `signal.reason` once that aborts.
   */
  changed(signal: AbortSignal, wanted?: Wanted): Promise<void>;
  /** Whether a live worker has a render job of the export. */
  isRunning(exportId: string, tx: Transaction): Promise<boolean>;
  close(): Promise<void>;
}
