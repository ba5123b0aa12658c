import type { JobKind } from '../../store/job-queue.ts';

/** The kinds of jobs. */
export type MeteredJob = JobKind;

/** The result of a try: done, failed permanently, to be retried, or released without a failure. */
export type JobOutcome = 'done' | 'failed' | 'retried' | 'released';

/** Receives events for metrics. Nothing depends on it, and no caller waits for it. */
export interface Meter {
  /** A job started for the first time, this long after it was enqueued. */
  jobWaited(kind: MeteredJob, seconds: number): void;
  /** A try of a job ended, this long after it started. */
  jobRan(kind: MeteredJob, outcome: JobOutcome, seconds: number): void;
  /** A copy of another node's job ended: before the original, or later or without a result. (H41) */
  copyRan(outcome: 'first' | 'late'): void;
  /** An export or an output failed permanently. */
  exportFailed(code: string): void;
  /** The cache was searched for chunks before a render. */
  chunksSought(found: number, missing: number): void;
  /** Files of requests were checked: how many had known facts, and how many needed a probe. */
  filesLookedAt(known: number, unknown: number): void;
  /** An upload ended: it was stored before, it is stored now, or a part has arrived. */
  mediaCame(outcome: 'known' | 'stored' | 'partial'): void;
  /** A file was requested from an address: it was fetched, it was unchanged, or the fetch failed. */
  mediaFetched(outcome: 'fetched' | 'unchanged' | 'failed'): void;
  /** Files of a request were referenced instead of sent. */
  mediaReferred(files: number, bytes: number): void;
  /** A client saved a project: a new one, a new revision, or the same document. (C76) */
  projectSaved(outcome: 'created' | 'saved' | 'unchanged'): void;
  /** A client sent a draft. (C79) */
  draftSent(): void;
  /** A chunk or the sound of a draft was rendered. */
  draftChunkRendered(): void;
  /** Captions were requested: new ones, or existing ones. (C77) */
  captionsRequested(outcome: 'new' | 'known'): void;
  /** Captions ended, after this many seconds of speech. */
  captionsEnded(outcome: 'completed' | 'failed', seconds: number): void;
  /** A try to send a video to its destination: sent, to be retried, or failed permanently. */
  destinationTried(outcome: 'sent' | 'retried' | 'failed'): void;
  /** A try to deliver a webhook. */
  deliveryTried(outcome: 'delivered' | 'pending' | 'given_up'): void;
}
