import type { Readable } from 'node:stream';
import type { ByteRange } from '../store/blob-store.ts';
import type { FrameRate } from '../time.ts';

/** Picture and sound have a playlist each. */
export type StreamTrack = 'video' | 'audio';

/** A segment of a track. The bytes of a name never change. */
interface StreamSegment {
  readonly name: string;
  readonly seconds: number;
}

/** What a track is made of, so far. */
interface StreamedTrack {
  /** What a player must have before the first segment. */
  readonly init: string;
  readonly segments: readonly StreamSegment[];
}

/** What a player wants to know before it chooses a stream. Rates in bits a second, of picture and sound together. */
export interface StreamFacts {
  /** As RFC 6381 has it: `avc1.64001f`. */
  readonly codecs: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
  /** No segment has more; as long as some are to come, what the level allows them. */
  readonly peakBitRate: number;
  /** null as long as some are to come. */
  readonly averageBitRate: number | null;
}

/** An output as it can be watched by now: at least one segment of it. (C49) */
export interface StreamView {
  /** Nothing more will come. */
  readonly ended: boolean;
  /** In whole seconds; no segment, of those to come either, is longer. */
  readonly targetSeconds: number;
  readonly tracks: Readonly<Record<StreamTrack, StreamedTrack>>;
  facts(): Promise<StreamFacts>;
}

/** A segment to be sent. Let go of it when it is not, or no more. */
export interface OpenSegment extends AsyncDisposable {
  readonly bytes: number;
  /** Of all that decides its bytes. */
  readonly sha256: string;
  /** The segment or a part of it; at the stream's end the segment is let go of. */
  stream(range?: ByteRange): Readable;
}

/** Watching outputs while they are rendered, and afterwards. */
export interface StreamsApi {
  /** null: there is nothing to be seen yet, or the output has failed, or there is none. */
  view(id: string, preset: string): Promise<StreamView | null>;
  /**
   * Resolves when more than so many segments are there, or no more will come; moves the output to the front of the queue
   * meanwhile, and for a while after. Rejects with the reason when `signal` aborts. (C12)
   */
  waitFor(id: string, preset: string, segments: number, signal: AbortSignal): Promise<void>;
  /** null: there is no such segment, or not yet. */
  open(id: string, preset: string, track: StreamTrack, name: string): Promise<OpenSegment | null>;
}
