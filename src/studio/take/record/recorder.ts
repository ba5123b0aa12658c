import type { ReadonlySignal } from '@preact/signals';
import type { TakeTimes } from './take-times.ts';

/** A recording in progress. Times are those of `performance.now()` and of events. */
export interface Recorder {
  /** Resolves when every device delivers data. */
  readonly ready: Promise<void>;
  readonly state: ReadonlySignal<RecorderState | null>;
  /** Why it has ended by itself. */
  readonly fault: ReadonlySignal<RecorderFault | null>;
  go(at: number): void;
  pause(at: number): void;
  /** Null if nothing was recorded. */
  stop(at: number): Promise<RecorderState | null>;
  /** Releases all resources. */
  close(): void;
}

export interface RecorderOptions {
  /** The name of the first file. */
  readonly name: string;
  readonly delays: Delays;
  readonly videoBitrate: number;
  /** The largest file that the service accepts. */
  readonly maxBytes: number;
}

/** The latency of the devices in milliseconds, as set by the user: it cannot be measured. */
interface Delays {
  readonly picture: number;
  readonly sound: number;
}

export type RecorderFault =
  | 'no_encoder'
  | 'no_picture'
  | 'no_storage'
  | 'disk_full'
  | 'picture_ended'
  | 'sound_ended'
  | 'file_full'
  | 'failed';

/** The state of a recording. */
export interface RecorderState {
  readonly times: TakeTimes;
  readonly seconds: number;
  /** Its files, and the start of each in seconds. Each file overlaps the next for a moment. */
  readonly files: readonly TakePart[];
  /** Whether pictures are dropped because the encoder is too slow, and how many were dropped so far. */
  readonly isBehind: boolean;
  readonly dropped: number;
  /** Whether pictures are smaller because of that. */
  readonly isReduced: boolean;
}

export interface TakePart {
  readonly name: string;
  readonly from: number;
}
