import type { Database } from '../database.ts';
import type { JobQueue } from '../job-queue.ts';
import type { Bell } from './bell.ts';
import type { Changes } from './changes.ts';
import type { Leader } from './leader.ts';
import type { Progress } from './progress.ts';
import type { RoomReserve } from './room-reserve.ts';

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
