import type { Readable } from 'node:stream';
import type { ByteRange } from '../../store/blob-store.ts';
import type { FrameRate } from '../../time.ts';

/** Picture and sound have separate playlists. */
export type StreamTrack = 'video' | 'audio';

/** A segment of a track. The bytes of a name never change. */
interface StreamSegment {
  readonly name: string;
  readonly seconds: number;
}

/** The available segments of a track. */
interface StreamedTrack {
  /** The name of the initialization segment. */
  readonly init: string;
  readonly segments: readonly StreamSegment[];
}

/** The properties by which a player chooses a stream. Bit rates are of picture and sound together. */
export interface StreamFacts {
  /** In the notation of RFC 6381: `avc1.64001f`. */
  readonly codecs: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
  /** No segment exceeds it; until all segments exist, the limit of the level. */
  readonly peakBitRate: number;
  /** null until all segments exist. */
  readonly averageBitRate: number | null;
}

/** The available part of an output: at least one segment. (C49) */
export interface StreamView {
  /** Whether no more segments follow. */
  readonly ended: boolean;
  /** In whole seconds; no segment is longer, including future ones. */
  readonly targetSeconds: number;
  readonly tracks: Readonly<Record<StreamTrack, StreamedTrack>>;
  facts(): Promise<StreamFacts>;
}

/** A segment to send. Dispose it if it is not sent. */
export interface OpenSegment extends AsyncDisposable {
  readonly bytes: number;
  /** Of everything that decides its bytes. */
  readonly sha256: string;
  /** The segment or a range of it; the end of the stream releases the segment. */
  stream(range?: ByteRange): Readable;
}

/** Streams outputs while they are rendered, and afterwards. */
export interface StreamsApi {
  /** null if there is no segment yet, if the output has failed, or if it does not exist. */
  view(id: string, preset: string): Promise<StreamView | null>;
  /**
   * Resolves when there are more than `segments` segments, or no more follow. Moves the output to the front of the
   * queue meanwhile, and for a while after. Rejects with the reason when `signal` aborts. (C12)
   */
  waitFor(id: string, preset: string, segments: number, signal: AbortSignal): Promise<void>;
  /** null if there is no such segment, or not yet. */
  open(id: string, preset: string, track: StreamTrack, name: string): Promise<OpenSegment | null>;
}
