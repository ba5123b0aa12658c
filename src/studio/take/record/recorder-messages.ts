import type { TakeTimes } from '../clock/take-times.ts';

/** The latency of the devices in milliseconds, as set by the user: it cannot be measured. */
export interface Delays {
  readonly picture: number;
  readonly sound: number;
}

/** From the page to the recorder. Times are those of the page's `performance.now()`. */
export type ToRecorder =
  | {
      readonly kind: 'open';
      readonly name: string;
      /** The page's `performance.timeOrigin`. */
      readonly origin: number;
      readonly picture: ReadableStream<VideoFrame> | null;
      readonly sound: ReadableStream<AudioData> | null;
      readonly delays: Delays;
      readonly videoBitrate: number;
      /** The largest file that the service accepts. */
      readonly maxBytes: number;
    }
  | { readonly kind: 'go' | 'pause' | 'stop'; readonly at: number }
  /** Cancels before anything is recorded. */
  | { readonly kind: 'close' };

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

export type FromRecorder =
  /** Every device delivers data, and the first file is open. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'state' | 'done'; readonly state: RecorderState }
  /** The recording has ended. What was recorded until then is in the files. */
  | { readonly kind: 'fault'; readonly fault: RecorderFault; readonly state: RecorderState };
