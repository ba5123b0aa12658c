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
  /** A copy of another node's job has ended: before the original attempt, or after it or in vain. (H41) */
  copyRan(outcome: 'first' | 'late'): void;
  /** An export, or one of its outputs, has failed for good. */
  exportFailed(code: string): void;
  /** Chunks were looked for before they were rendered. */
  chunksSought(found: number, missing: number): void;
  /** Files of requests were looked at: of so many it was known what is in them, so many had to be looked into. */
  filesLookedAt(known: number, unknown: number): void;
  /** Content came by itself: it was there, is there from now on, or has arrived in part. */
  mediaCame(outcome: 'known' | 'stored' | 'partial'): void;
  /** A file was asked for at an address: it came, was as before, or did not come. */
  mediaFetched(outcome: 'fetched' | 'unchanged' | 'failed'): void;
  /** So many files of a request were not sent, but referred to. */
  mediaReferred(files: number, bytes: number): void;
  /** A client saved a project: a new one, a new revision, or what was there already. (C76) */
  projectSaved(outcome: 'created' | 'saved' | 'unchanged'): void;
  /** A client sent a draft. (C79) */
  draftSent(): void;
  /** A chunk or the sound of a draft was rendered. */
  draftChunkRendered(): void;
  /** Captions were asked for: new ones, or such as there were already. (C77) */
  captionsRequested(outcome: 'new' | 'known'): void;
  /** Captions have come to an end, after so much speech. */
  captionsEnded(outcome: 'completed' | 'failed', seconds: number): void;
  /** A video was sent to its destination, is to be sent again, or never will be. */
  destinationTried(outcome: 'sent' | 'retried' | 'failed'): void;
  /** A callback was tried. */
  deliveryTried(outcome: 'delivered' | 'pending' | 'given_up'): void;
}
