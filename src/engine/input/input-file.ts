import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
  AVSEEK_FLAG_ANY,
  AVSEEK_FLAG_BACKWARD,
  AVSEEK_FLAG_BYTE,
  type AVSeekFlag,
} from 'node-av/constants';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import { findDecoder } from './find-decoder.ts';
import type { JoinedClock } from './joined-clock.ts';
import type { MediaContainer } from './media-containers.ts';
import { isEncrypted, type Mp4Track } from './mp4-tracks.ts';
import { type SoundTimes, soundTimes } from './sound-times.ts';

/** Pictures whose header is enough before decoding. */
export const STILLS: ReadonlySet<MediaContainer> = new Set([
  'png',
  'jpeg',
  'webp',
  'bmp',
  'ico',
  'tiff',
  'jxl',
  'heic',
  'avif',
  'svg',
]);
/** Pictures that move without sound and start over at the end. */
export const ANIMATIONS: ReadonlySet<MediaContainer> = new Set(['gif', 'apng', 'webp_animation']);

/** Sound containers without timestamps: seeks in them, and the length libavformat gives, are guesses. */
export const WITHOUT_CLOCK: ReadonlySet<MediaContainer> = new Set(['mp3', 'adts', 'ac3', 'eac3', 'amr']);

const SEEK_ANY = (AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY) as AVSeekFlag;

/** The content of a picture track: the pictures, or their alpha. */
export type PicturePlane = 'color' | 'alpha';

/** Demuxers that report an error may still find the next packet; this many in a row and the file is taken as over. */
export const READ_ERRORS_IN_A_ROW = 32;

/**
 * An opened upload. Owns the demuxer: streams, packets and everything else from `format` end with it. Only `video` and
 * `audio` are delivered as packets; a reader of one of them discards the other on its own `InputFile`.
 */
export class InputFile implements AsyncDisposable {
  readonly container: MediaContainer;
  readonly format: FormatContext;
  /** Every track, in file order. */
  readonly streams: readonly Stream[];
  /** The picture a player would show, moving or still, if we can decode it. Never cover art. */
  readonly shown: Stream | null;
  /** The track of pictures that is read: the one shown, or its alpha. */
  readonly video: Stream | null;
  /** The alpha track of the picture, as in an animated AVIF. */
  readonly alpha: Stream | null;
  /** The sound a player would play, if we can decode it. */
  readonly audio: Stream | null;
  /** Whether the file holds cover art of a sound file. */
  readonly coverArt: boolean;

  /** The stream of an icon's largest picture. */
  readonly #largest: number | undefined;
  /** By their ids. */
  readonly #tracks: ReadonlyMap<number, Mp4Track>;
  /** Set if the file's own clock is not continuous. */
  #clock: JoinedClock | null = null;
  #startedOver = false;
  /** Set where packets behind a seek may have wrong times. */
  readonly #settling: SettlingTimes | null;
  /** Where packets come from: `format`, or the same file opened once more. */
  #reading: FormatContext;
  readonly #reopen: () => FormatContext;
  /** Set where the times of sound are corrected. */
  #soundTimes: SoundTimes | null;
  readonly #soundSeek: AVSeekFlag;

  /**
   * @param reopen opens the same file once more.
   * @param plane which of its pictures `video` is, if the file keeps its alpha in a separate track.
   * @param largest the stream of the largest picture of an icon: libavformat does not know the size of those that are
   * PNGs.
   */
  constructor(
    container: MediaContainer,
    format: FormatContext,
    tracks: ReadonlyMap<number, Mp4Track>,
    reopen: () => FormatContext,
    plane: PicturePlane,
    largest?: number,
  ) {
    this.#reading = format;
    this.#reopen = reopen;
    this.container = container;
    this.#settling = container === 'mpegps' ? new SettlingTimes() : null;
    // Indexes of AVI often mark no packet of sound as a key frame, and libavformat seeks to key frames only.
    this.#soundSeek = container === 'avi' ? SEEK_ANY : AVSEEK_FLAG_BACKWARD;
    this.format = format;
    this.#tracks = tracks;
    this.#largest = largest;
    this.streams = format.streams;
    this.alpha = this.#chooseAlpha();
    this.shown = this.#choose(AVMEDIA_TYPE_VIDEO);
    this.video = plane === 'alpha' ? this.alpha : this.shown;
    this.audio = this.#choose(AVMEDIA_TYPE_AUDIO);
    this.coverArt = this.streams.some(isLabel);
    this.#soundTimes = this.audio && soundTimes(container, this.audio);
    for (const stream of this.streams) {
      if (stream.index !== this.video?.index && stream.index !== this.audio?.index) stream.discard = AVDISCARD_ALL;
    }
  }

  /** Whether a track is left out because it is encrypted. */
  get encrypted(): boolean {
    return this.streams.some((stream) => this.#isEncrypted(stream));
  }

  /** Whether the container is one for pictures that do not move. */
  get still(): boolean {
    return STILLS.has(this.container);
  }

  /** Whether the container is one for pictures that move without sound and start over at the end. */
  get animation(): boolean {
    return ANIMATIONS.has(this.container);
  }

  /** Whether the file is joined from parts with separate clocks. */
  get joined(): boolean {
    return this.#clock !== null;
  }

  /** Whether the last packet begins another part of its stream, which is independent of the part before. */
  get startedOver(): boolean {
    return this.#startedOver;
  }

  /** How long an MP4's headers say that a track is shown, in seconds; null if they say nothing, or contradict each other. */
  shownLength({ id }: Stream): number | null {
    return this.#tracks.get(id)?.shown ?? null;
  }

  /** Whether the time of a packet of sound is the number of the samples before it. It is read from the start of the file, since a seek would lose the count. */
  get countsSound(): boolean {
    return WITHOUT_CLOCK.has(this.container) || this.#soundTimes?.fromStart === true;
  }

  /** From now on, packets of sound get their times from `times`. */
  correct(times: SoundTimes): void {
    this.#soundTimes = times;
  }

  /** From now on, packets get their times from `clock`. */
  follow(clock: JoinedClock): void {
    this.#clock = clock;
  }

  /**
   * Reads the next packet of any stream, as `av_read_frame` does. If the timestamps of the file start over, the packet
   * gets continuous ones. (R21)
   */
  read(packet: Packet): number {
    let result = this.#reading.readFrameSync(packet);
    while (result >= 0 && this.#settling?.isTimed(packet) === false) {
      packet.unref();
      result = this.#reading.readFrameSync(packet);
    }
    this.#startedOver = result >= 0 && this.#clock?.retime(packet) === true;
    if (result < 0 || packet.streamIndex !== this.audio?.index || this.#soundTimes === null) return result;
    if (this.#soundTimes.retime(packet)) return result;
    packet.unref();
    this.#restart();
    return this.read(packet);
  }

  /** Reads from the start of the file again, where no seek leads to it. */
  #restart(): void {
    if (this.#reading !== this.format) this.#reading.freeContext();
    this.#reading = this.#reopen();
    for (const stream of this.#reading.streams) stream.discard = this.streams[stream.index]?.discard ?? AVDISCARD_ALL;
  }

  /** Goes to the last key frames at or before `at` µs on the file's clock, and no longer counts: times after it may be inexact. */
  async seekAll(at: bigint): Promise<number> {
    if (this.#soundTimes?.fromStart) this.#soundTimes = null;
    this.#soundTimes?.startOver();
    return this.#reading.seekFrame(-1, at, AVSEEK_FLAG_BACKWARD);
  }

  /** Goes to the last key frame of the picture at or before `at` µs on the file's clock, or as near as the container knows. */
  async seekPicture(at: bigint): Promise<number> {
    this.#settling?.sought();
    if (this.#clock === null) return this.seekAll(at);
    const { num, den } = this.video!.timeBase;
    const ticks = (Number(at) * den) / (num * 1_000_000);
    return this.#reading.seekFrame(-1, BigInt(this.#clock.seek(this.video!, ticks)), AVSEEK_FLAG_BYTE);
  }

  /**
   * Goes to the packet of the sound at or before a timestamp of its stream, or as near as the container knows. Sound that is
   * counted goes to its start only. Blocks.
   */
  seekSound(timestamp: bigint): number {
    this.#settling?.sought();
    const { index } = this.audio!;
    if (this.#clock === null) {
      const result = this.#reading.seekFrameSync(index, timestamp, this.#soundSeek);
      if (result >= 0) this.#soundTimes?.startOver();
      return result;
    }
    const byte = this.#clock.seek(this.audio!, Number(timestamp));
    return this.#reading.seekFrameSync(index, BigInt(byte), AVSEEK_FLAG_BYTE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#reading !== this.format) await this.#reading.closeInput();
    await this.format.closeInput();
  }

  #choose(type: AVMediaType): Stream | null {
    const usable = (stream: Stream | undefined) =>
      stream !== undefined &&
      stream.codecpar.codecType === type &&
      !this.#isLeftOut(stream) &&
      findDecoder(stream) !== null;
    const best = this.streams[this.#largest ?? this.format.findBestStream(type)];
    return (usable(best) ? best : this.streams.filter(usable).sort(byFrames)[0]) ?? null;
  }

  /** Pictures in front of an animation's tracks are streams too, of one frame, with ids that tracks may have as well. */
  #chooseAlpha(): Stream | null {
    const found = this.streams.filter((stream) => this.#isAuxiliary(stream) && findDecoder(stream) !== null);
    return found.find(({ nbFrames }) => nbFrames > 1n) ?? null;
  }

  #isLeftOut(stream: Stream): boolean {
    return isLabel(stream) || this.#isAuxiliary(stream) || this.#isEncrypted(stream);
  }

  #isAuxiliary({ id }: Stream): boolean {
    return this.#tracks.get(id)?.handler === 'auxv';
  }

  #isEncrypted({ id }: Stream): boolean {
    const track = this.#tracks.get(id);
    return track !== undefined && isEncrypted(track);
  }
}

function byFrames(one: Stream, other: Stream): number {
  return Number(other.nbFrames - one.nbFrames);
}

function isLabel(stream: Stream): boolean {
  return stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC) || stream.hasDisposition(AV_DISPOSITION_TIMED_THUMBNAILS);
}

/**
 * Finds the packets of a program stream that have correct times after a seek. A timestamp belongs to the first frame that starts
 * after it, and frames without a timestamp may follow. A seek ends in the middle of a frame: libavformat assigns the first timestamp
 * to the rest of that frame, and its times are wrong up to the second timestamp.
 */
class SettlingTimes {
  /** The start of each stream in the file, where no frame is cut. */
  readonly #begins = new Map<number, bigint>();
  /** By stream, the timestamps met since the last seek; null before the first one. */
  #met: Map<number, number> | null = null;

  /** Call it at each seek. */
  sought(): void {
    this.#met = new Map();
  }

  /** Call it with every packet, in the order of reading. */
  isTimed({ streamIndex, pos }: Pick<Packet, 'streamIndex' | 'pos'>): boolean {
    if (!this.#begins.has(streamIndex) && this.#met === null) this.#begins.set(streamIndex, pos);
    if (this.#met === null) return true;
    // Packets behind their own timestamp have a known position.
    const met = this.#begins.get(streamIndex) === pos ? 2 : (this.#met.get(streamIndex) ?? 0) + (pos >= 0n ? 1 : 0);
    this.#met.set(streamIndex, met);
    return met >= 2;
  }
}
