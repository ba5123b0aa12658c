import type { Database } from '../database.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Bell } from './bell.ts';
import type { Changes } from './changes.ts';
import type { Leader } from './leader.ts';
import type { Progress } from './progress.ts';
import type { RoomReserve } from './room-reserve.ts';

/** Where a node keeps records and jobs, and how it learns what other nodes do. */
export interface NodeStore {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly changes: Changes;
  readonly progress: Progress;
  readonly leader: Leader;
  /** Wakes the sender of webhooks when an export has ended. */
  readonly webhookBell: Bell;
  /** Rings when a draft has come, changed or gone. */
  readonly draftBell: Bell;
  /** True where no other process can be at work on the same records. */
  readonly alone: boolean;
  /** What deletes can use when the disk of the records is full; null where that disk is not this node's. */
  readonly reserve: RoomReserve | null;
  /** The time of day for all nodes that share the records: one clock for all. (H30) */
  now(): number;
  close(): Promise<void>;
}

/** Notices that a node gets from its store. */
export interface NodeStoreEvents {
  /** Nobody wants this export any more. */
  readonly onCancelled: (exportId: string) => void;
  /** Another node has finished this job. */
  readonly onOvertaken?: (jobId: string) => void;
  /** Something the store does by itself has failed, and will be tried again. */
  readonly onFault?: (what: string, error: unknown) => void;
}
