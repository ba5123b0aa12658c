import type { RenderHost } from '../sandbox/render-host.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { ChunkCache } from '../store/chunk-cache.ts';
import type { Database } from '../store/database.ts';
import type { ExportRecords } from '../store/export-records.ts';
import type { JobQueue } from '../store/job-queue.ts';
import type { OutputRecords } from '../store/output-records.ts';
import type { ChangeHub } from './follow/change-hub.ts';
import type { LiveProgress } from './follow/live-progress.ts';
import type { RunningExports } from './run/running-exports.ts';
import type { Gate } from './submit/gate.ts';
import type { RequestRules } from './submit/read-request.ts';
import type { UploadPins } from './submit/upload-pins.ts';

/** How much is taken in, and how long it is kept. */
export interface ExportsPolicy {
  readonly maxWaiting: number;
  readonly minFreeDiskBytes: number;
  readonly minFreeDiskPercent: number;
  readonly retentionMs: number;
  /** Whether the other two shapes are rendered without being asked for. (C12) */
  readonly prerender: 'all' | 'selected';
  readonly allowPrivateCallbacks: boolean;
  readonly webhookSecret: string | null;
}

/** Everything the use cases work with: the ports, and what this process remembers beside them. */
export interface ExportsContext {
  readonly database: Database;
  readonly records: ExportRecords;
  readonly outputs: OutputRecords;
  readonly jobs: JobQueue;
  readonly blobs: BlobStore;
  readonly chunks: ChunkCache;
  readonly host: RenderHost;
  readonly rules: RequestRules;
  readonly policy: ExportsPolicy;
  readonly changes: ChangeHub;
  readonly progress: LiveProgress;
  readonly pins: UploadPins;
  readonly running: RunningExports;
  /** How many requests are looked into at once, by tenant: each takes a child process. */
  readonly probing: Gate;
  readonly now: () => number;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string, detail: object) => void;
}
