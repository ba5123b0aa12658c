import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
} from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import { findDecoder } from './find-decoder.ts';
import type { MediaContainer } from './sniff-media.ts';

/** Pictures whose header tells all there is to know before decoding. */
export const STILLS: ReadonlySet<MediaContainer> = new Set(['png', 'jpeg', 'webp', 'bmp', 'tiff', 'heic', 'avif']);
/** Pictures that move without sound and start over at the end. */
export const ANIMATIONS: ReadonlySet<MediaContainer> = new Set(['gif', 'apng', 'webp_animation']);

/** Demuxers that report an error may still find the next packet; this many in a row and the file is taken as over. */
export const READ_ERRORS_IN_A_ROW = 32;

/**
 * An opened upload. Owns the demuxer: streams, packets and whatever else comes from `format` end with it.
 *
 * Only `video` and `audio` are delivered as packets; a reader of one of them discards the other on its own `InputFile`.
 */
export class InputFile implements AsyncDisposable {
  readonly container: MediaContainer;
  readonly format: FormatContext;
  /** Every track, in file order. */
  readonly streams: readonly Stream[];
  /** The picture a player would show, moving or still, if we can decode it. Never cover art. */
  readonly video: Stream | null;
  /** The sound a player would play, if we can decode it. */
  readonly audio: Stream | null;
  /** Whether the file holds a picture meant as its label: a sound file's cover. */
  readonly coverArt: boolean;

  constructor(container: MediaContainer, format: FormatContext) {
    this.container = container;
    this.format = format;
    this.streams = format.streams;
    this.video = this.#choose(AVMEDIA_TYPE_VIDEO);
    this.audio = this.#choose(AVMEDIA_TYPE_AUDIO);
    this.coverArt = this.streams.some(isLabel);
    for (const stream of this.streams) {
      if (stream.index !== this.video?.index && stream.index !== this.audio?.index) stream.discard = AVDISCARD_ALL;
    }
  }

  /** Whether the container is one for pictures that do not move. */
  get still(): boolean {
    return STILLS.has(this.container);
  }

  /** Whether the container is one for pictures that move without sound and start over at the end. */
  get animation(): boolean {
    return ANIMATIONS.has(this.container);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.format.closeInput();
  }

  #choose(type: AVMediaType): Stream | null {
    const usable = (stream: Stream | undefined) =>
      stream !== undefined && stream.codecpar.codecType === type && !isLabel(stream) && findDecoder(stream) !== null;
    const best = this.streams[this.format.findBestStream(type)];
    return (usable(best) ? best : this.streams.find(usable)) ?? null;
  }
}

function isLabel(stream: Stream): boolean {
  return stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) || stream.hasDisposition(AV_DISPOSITION_TIMED_THUMBNAILS);
}
