import type { Frame, Stream } from 'node-av/lib';
import type { Micros } from '../../time.ts';
import type { SourceClock } from '../input/source-clock.ts';

/** The picture properties of a file besides its frames. */
export type PictureStream = Pick<Stream, 'timeBase' | 'sampleAspectRatio'> & {
  readonly codecpar: Pick<Stream['codecpar'], 'codecId' | 'getCodedSideData'>;
};

/** Decoded frames of one file in order, from which a `PictureReader` selects. Owns its decoders. */
export interface FrameSource extends AsyncDisposable {
  readonly clock: SourceClock;
  readonly stream: PictureStream;
  /** Packets that could not be read or decoded so far, those met again after a seek counted again. */
  readonly brokenPackets: number;
  /** Whether decoding can begin in mid-file; the three below are of no use otherwise. */
  readonly seekable: boolean;
  /** The source time of the latest key frame that was read, decoded or not. */
  readonly lastKey: number;
  skipTo(at: Micros): boolean;
  seek(at: number): Promise<void>;
  /** Fills `frame` with the next picture and gives its source time, or null at the end. */
  next(frame: Frame): Promise<number | null>;
  /** Starts over. */
  rewind(): Promise<void>;
}
