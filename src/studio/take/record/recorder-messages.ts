import type { TakeTimes } from '../clock/take-times.ts';

/** By how many milliseconds devices are late at the source, as they are set: nothing can measure it. */
export interface Delays {
  readonly picture: number;
  readonly sound: number;
}

/** What the page tells the recorder. Times are those of the page's `performance.now()`. */
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
      readonly mostBytes: number;
    }
  | { readonly kind: 'go' | 'pause' | 'stop'; readonly at: number }
  /** Nothing is recorded after all. */
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

/** How a recording stands. */
export interface RecorderState {
  readonly times: TakeTimes;
  readonly seconds: number;
  /** Its files, and the second at which each begins. The one before goes on for a moment longer. */
  readonly files: readonly TakePart[];
  /** Whether pictures are dropped since the encoder cannot keep up. */
  readonly isBehind: boolean;
  /** Whether they are smaller since then. */
  readonly isReduced: boolean;
}

export interface TakePart {
  readonly name: string;
  readonly from: number;
}

export type FromRecorder =
  /** Every device gives something, and the encoders are there. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'state' | 'done'; readonly state: RecorderState }
  /** It goes no further. What was recorded until then is in the file. */
  | { readonly kind: 'fault'; readonly fault: RecorderFault; readonly state: RecorderState };
