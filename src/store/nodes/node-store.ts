import type { Database } from '../database.ts';
import type { JobQueue } from '../job-queue.ts';

/** The records and jobs of a node, and its notices from other nodes. */
export interface NodeStore {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly changes: Changes;
  readonly progress: Progress;
  readonly leader: Leader;
  /** Rings when a draft was added, changed or deleted. */
  readonly draftBell: Bell;
  /** Whether no other process can use the same records. */
  readonly alone: boolean;
  /** Space that deletes can use when the disk of the records is full; null if that disk is not this node's. */
  readonly reserve: RoomReserve | null;
  /** One clock for all nodes that share the records. (H30) */
  now(): number;
  close(): Promise<void>;
}

/** Notices that a node gets from its store. */
export interface NodeStoreEvents {
  /** The export was cancelled or removed. */
  readonly onCancelled: (exportId: string) => void;
  /** Another node has finished this job. */
  readonly onOvertaken?: (jobId: string) => void;
  /** A background task of the store failed and will be retried. */
  readonly onFault?: (what: string, error: unknown) => void;
}

/** Lets any process wake a loop that waits for work. The notice is a hint and may be lost. */
export interface Bell {
  ring(): void;
  onRing(listener: () => void): void;
}

/** A bell within this process. */
export class LocalBell implements Bell {
  readonly #listeners: (() => void)[] = [];

  ring(): void {
    for (const listener of this.#listeners) listener();
  }

  onRing(listener: () => void): void {
    this.#listeners.push(listener);
  }
}

/** Elects one process for the work that must run in one process at a time. */
export interface Leader {
  /**
   * Runs `work` while this process is the leader, until `signal` aborts. The signal of `work` aborts when another
   * process may lead, so its steps must tolerate running twice. A failure is reported, and the work starts again.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** With one process, it is the leader. */
export const SOLE_LEADER: Leader = { run: (_name, work, signal) => work(signal) };

/** Notifies followers of an export, in any process, of changes. Passes test/store/changes-suite.ts. */
export interface Changes {
  /** Announces a recorded change. Returns at once; the notice is a hint and may be lost. */
  notify(id: string): void;
  /**
   * Starts listening now. `next` resolves at the first change, or at the next poll if the notice was lost. Listen
   * before you read, so that no change in between is missed.
   */
  listen(id: string): { readonly next: Promise<void>; stop(): void };
}

/** A job of chunks that is running. */
export interface JobInProgress {
  readonly exportId: string;
  readonly id: string;
  /** Its first chunk: the same in every retry of the job, whole or divided. */
  readonly firstChunk: number;
}

/** The recorded progress of an output. */
export interface RecordedProgress {
  readonly preset: string;
  readonly framesDone: number;
  /** Of running jobs, as reported by other processes. */
  readonly framesInFlight: number;
  readonly totalFrames: number;
  readonly completed: boolean;
}

/**
 * Rendered frames that are not counted yet, for smooth progress between two finished jobs. Shown progress never
 * decreases, even if a crashed child restarts a chunk.
 */
export interface Progress {
  /** Reports the frames of each output that the job has rendered. Followers get notices at intervals. */
  report(job: JobInProgress, done: readonly (readonly [preset: string, frames: number])[]): void;
  /**
   * The job has ended, with or without success. Await it before its frames are counted; otherwise they would briefly
   * count twice.
   */
  end(job: JobInProgress, presets: readonly string[]): Promise<void>;
  /** The progress to show, from 0 to 1. It is 1 only once the file exists. */
  share(id: string, output: RecordedProgress): number;
  /** Forgets an ended export. */
  forget(id: string, presets: readonly string[]): void;
}

/** Enough for the records of deletes: SQLite's log reaches 4 MiB before it starts over. */
export const RESERVE_BYTES = 8 * 2 ** 20;

/** Reserved space on the disk of the records, so that deletes work with 0 bytes free. (H27) */
export interface RoomReserve {
  /** How much of it is not reserved now. */
  readonly missingBytes: number;
  /** Whether the disk was full at the last `refill`. */
  readonly isFull: boolean;
  /** Runs work that frees space: on a full disk, only such work may write records. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  /** Looks at the disk, and reserves what is missing if as much again stays free. */
  refill(): Promise<void>;
}
