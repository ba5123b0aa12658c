import {
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VORBIS,
  AV_NOPTS_VALUE,
  AV_SAMPLE_FMT_FLTP,
  AVDISCARD_ALL,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_AUDIO,
} from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avGetCodecName,
  type ChannelLayout,
  CodecContext,
  Frame,
  Packet,
  SoftwareResampleContext,
  type Stream,
} from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import type { FrameGrid } from '../../sound/sound-lag.ts';
import type { ClockedSound, DecodedSound } from '../../sound/steady-sound.ts';
import { CODEC_WHITELIST, findDecoder } from '../input/find-decoder.ts';
import { type InputFile, READ_ERRORS_IN_A_ROW, WITHOUT_CLOCK } from '../input/input-file.ts';
import type { MediaContainer } from '../input/media-containers.ts';
import { isPlayableSound } from '../input/playable-sound.ts';
import { presentationStart } from '../input/presentation-start.ts';
import { wmaFrameSamples } from '../input/sound-times.ts';
import { libavCause, mustSucceed } from '../libav/libav-call.ts';
import { planarFrame, STEREO_LAYOUT } from './planar-frame.ts';

/** Containers whose time is only a count of the samples before. */
const COUNTED: ReadonlySet<MediaContainer> = new Set([...WITHOUT_CLOCK, 'wav', 'flac', 'aiff', 'avi']);

/**
 * A decoder that starts in mid-stream needs earlier packets: the overlap of AAC and Vorbis, the bit reservoir of MP3,
 * the 80 ms Opus takes to converge. This is more than any of them needs.
 */
const PREROLL_SECONDS = 0.3;
const PREROLL_FRAMES = 12;
/**
 * AMR predicts each sample from those before it: the error after a seek decays slowly. A packet of WMA has up to 16 frames,
 * and the decoder loses one in front of the first.
 */
const LONG_PREROLL: ReadonlySet<string | null> = new Set(['amr_nb', 'amr_wb', 'wmav1', 'wmav2']);
const LONG_PREROLL_SECONDS = 2;

const MAX_FAILURES_AT_START = 200;

/** Decoders that a flush does not reset: those of AC-3 lose their options, those of AMR keep their state. */
const REOPENED: ReadonlySet<string | null> = new Set(['ac3', 'eac3', 'amr_nb', 'amr_wb']);
const DITHERED: ReadonlySet<string | null> = new Set(['ac3', 'eac3']);

/**
 * The sound of one opened file as decoded frames. Concealment as players do it: a packet that does not decode leaves a
 * hole, and the rest goes on.
 */
export class SoundStream implements ClockedSound, AsyncDisposable {
  readonly rate: number;
  readonly #input: InputFile;
  readonly #stream: Stream;
  readonly #streamIndex: number;
  /** Whether packets are counted from the file's beginning, because there is no clock; a seek then goes only there. */
  readonly #countsPackets: boolean;
  #decoder: CodecContext;
  readonly #downmix: StereoDownmix;
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  readonly #originTicks: number;
  readonly #samplesATick: number;
  readonly #preroll: number;
  #grid: FrameGrid = { anchor: 0, step: 1 };
  /** After a seek, packets that end before this tick are not worth decoding. */
  #skipBeforeTick = Number.NEGATIVE_INFINITY;
  #skipping = false;
  #lastPacketTick = Number.NEGATIVE_INFINITY;
  /** Where another part of a joined file begins, which keeps its own time to the sample. */
  #newPartTick = Number.POSITIVE_INFINITY;
  #drained = false;
  #failures = 0;

  private constructor(input: InputFile, stream: Stream, decoder: CodecContext) {
    const { num, den } = stream.timeBase;
    this.rate = decoder.sampleRate;
    this.#input = input;
    this.#stream = stream;
    this.#streamIndex = stream.index;
    this.#countsPackets = input.countsSound;
    this.#decoder = decoder;
    this.#downmix = new StereoDownmix(this.rate);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#originTicks = (presentationStart(input) * den) / (num * 1_000_000);
    this.#samplesATick = (this.rate * num) / den;
    const preroll = LONG_PREROLL.has(avGetCodecName(stream.codecpar.codecId)) ? LONG_PREROLL_SECONDS : PREROLL_SECONDS;
    this.#preroll = Math.max(Math.ceil(this.rate * preroll), decoder.frameSize * PREROLL_FRAMES);
  }

  /**
   * Takes over `input`, also where it throws.
   *
   * @returns null if the file has no sound.
   * @throws `sound.undecodable` if it has some and no decoder makes anything of it.
   */
  static async open(input: InputFile): Promise<SoundStream | null> {
    await using owned = new AsyncDisposableStack();
    owned.use(input);
    const stream = input.audio;
    if (stream === null) {
      if (input.streams.some(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO)) throw undecodable();
      return null;
    }
    for (const other of input.streams) if (other.index !== stream.index) other.discard = AVDISCARD_ALL;
    const decoder = openDecoder(stream);
    owned.defer(() => decoder.freeContext());
    const sound = new SoundStream(input, stream, decoder);
    owned.defer(() => sound.#freeBuffers());
    sound.#findGrid();
    owned.move();
    return sound;
  }

  /** How many packets could not be decoded so far. */
  get failures(): number {
    return this.#failures;
  }

  get drifts(): boolean {
    return !COUNTED.has(this.#input.container);
  }

  get grid(): FrameGrid {
    return this.#grid;
  }

  get tickSamples(): number {
    return this.#samplesATick;
  }

  seek(at: number): void {
    const from = Math.round(this.#originTicks + (at - this.#preroll) / this.#samplesATick);
    // A count begins at 0. The start time of an MP3 is after the encoder's delay, which may be longer than a packet.
    const startsAtZero = this.#countsPackets || this.#stream.startTime === AV_NOPTS_VALUE;
    const firstTick = startsAtZero ? 0 : Number(this.#stream.startTime);
    if (!this.#countsPackets || from <= this.#lastPacketTick || this.#drained) {
      // A second before the first timestamp, so that the priming packets in front of it are not missed.
      const rewind = firstTick - Math.ceil(this.rate / this.#samplesATick);
      const target = this.#countsPackets || from <= firstTick ? rewind : from;
      if (this.#input.seekSound(BigInt(target)) < 0) this.#input.seekSound(BigInt(firstTick));
      this.#lastPacketTick = Number.NEGATIVE_INFINITY;
    }
    this.#resetDecoder();
    this.#skipBeforeTick = from;
    this.#skipping = true;
    this.#newPartTick = Number.POSITIVE_INFINITY;
    this.#drained = false;
  }

  /** The next decoded frame, or null at the end. */
  next(): DecodedSound | null {
    for (;;) {
      // Releases the last frame as well.
      const received = this.#decoder.receiveFrameSync(this.#frame);
      if (received >= 0) {
        const sound = this.#downmix.convert(this.#frame);
        if (sound !== null) return { ...this.#timestamp(), sound };
        this.#failures++;
        continue;
      }
      if (this.#drained) return null;
      if (received !== AVERROR_EAGAIN && received !== AVERROR_EOF) this.#failures++;
      this.#feed();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#freeBuffers();
    this.#decoder.freeContext();
    await this.#input[Symbol.asyncDispose]();
  }

  /** Gives the decoder one more packet, or signals the end. */
  #feed(): void {
    for (let errors = 0; errors < READ_ERRORS_IN_A_ROW; ) {
      const read = this.#input.read(this.#packet);
      if (read === AVERROR_EOF) break;
      if (read < 0) {
        errors++;
        continue;
      }
      if (this.#input.startedOver) this.#newPartTick = Number(this.#packet.pts);
      const wanted = this.#packet.streamIndex === this.#streamIndex && this.#isWorthDecoding();
      if (wanted && this.#decoder.sendPacketSync(this.#packet) < 0) this.#failures++;
      this.#packet.unref();
      if (wanted) return;
    }
    this.#drained = true;
    this.#decoder.sendPacketSync(null);
  }

  #isWorthDecoding(): boolean {
    if (!this.#skipping && !this.#countsPackets) return true;
    const { pts, duration } = this.#packet;
    if (pts === AV_NOPTS_VALUE) return true;
    this.#lastPacketTick = Number(pts);
    this.#skipping &&= this.#lastPacketTick + Number(duration) <= this.#skipBeforeTick && duration > 0n;
    return !this.#skipping;
  }

  #timestamp(): Omit<DecodedSound, 'sound'> {
    const { pts } = this.#frame;
    if (pts === AV_NOPTS_VALUE) return { ptsSamples: null, newPart: false };
    const newPart = Number(pts) >= this.#newPartTick;
    if (newPart) this.#newPartTick = Number.POSITIVE_INFINITY;
    return { ptsSamples: (Number(pts) - this.#originTicks) * this.#samplesATick, newPart };
  }

  #findGrid(): void {
    for (;;) {
      const first = this.#failures < MAX_FAILURES_AT_START ? this.next() : null;
      if (first === null) throw undecodable();
      const length = first.sound.left.length;
      if (length === 0) continue;
      const anchor = Math.round(first.ptsSamples ?? 0) + length;
      this.#grid = { anchor, step: frameStep(this.#stream) ?? (this.next()?.sound.left.length || 1) };
      return;
    }
  }

  #resetDecoder(): void {
    if (!REOPENED.has(avGetCodecName(this.#stream.codecpar.codecId))) {
      this.#decoder.flushBuffers();
      return;
    }
    const decoder = openDecoder(this.#stream);
    this.#decoder.freeContext();
    this.#decoder = decoder;
  }

  #freeBuffers(): void {
    this.#downmix[Symbol.dispose]();
    this.#packet.free();
    this.#frame.free();
  }
}

function openDecoder(stream: Stream): CodecContext {
  const codec = findDecoder(stream);
  if (codec === null) throw undecodable();
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  try {
    mustSucceed(decoder.parametersToContext(stream.codecpar), 'avcodec_parameters_to_context');
    // Without it the decoder cannot shorten a frame's beginning and move its timestamp along.
    decoder.pktTimebase = stream.timeBase;
    decoder.threadCount = 1;
    mustSucceed(decoder.setOption('codec_whitelist', CODEC_WHITELIST), 'av_opt_set');
    // The noise that AC-3 puts into gaps of the spectrum follows from each frame, and not from those before it. (R4)
    if (DITHERED.has(codec.name)) mustSucceed(decoder.setOption('cons_noisegen', 1), 'av_opt_set');
    const opened = decoder.open2Sync(codec);
    if (opened < 0) throw undecodable(libavCause(opened, 'avcodec_open2'));
    // A header may leave the channel count to the frames.
    const { sampleRate, channels } = decoder;
    if (!isPlayableSound({ sampleRate, channels: Math.max(1, channels) })) throw undecodable();
    return decoder;
  } catch (error) {
    decoder.freeContext();
    throw error;
  }
}

/** The step on which a stream's frames begin, in samples, where not all are of one length; null if they are. */
function frameStep(stream: Stream): number | null {
  const { codecId } = stream.codecpar;
  if (codecId === AV_CODEC_ID_OPUS) return 120;
  if (codecId === AV_CODEC_ID_VORBIS) return 64;
  return wmaFrameSamples(stream);
}

function undecodable(cause?: unknown): ExportError {
  return new ExportError('unsupported', 'sound.undecodable', 'The sound in the file could not be decoded.', { cause });
}

const MONO: ChannelLayout = { nbChannels: 1, order: AV_CHANNEL_ORDER_NATIVE, mask: 0x4n };
const TYPICAL_FRAME = 4096;
/** Louder than this, 60 dB above full scale, is damage: no recorder writes it. */
const LOUDEST = 1000;

/**
 * Turns decoded frames of any format and layout into stereo float at one rate. Mono goes to both sides at full level.
 * More channels are folded by ITU-R BS.775 (centre and surrounds at −3 dB, no LFE) and not scaled down afterwards, as
 * in players: dialogue keeps its level, and the bus has a limiter for the rare sum above full scale. A stream may
 * change its format midway.
 */
class StereoDownmix implements Disposable {
  readonly #rate: number;
  #plain: PlainCopy | null = null;
  #context: SoftwareResampleContext | null = null;
  #key = '';
  #planes = 2;

  constructor(rate: number) {
    this.#rate = rate;
  }

  /** The frame's samples, valid until the next call. Null if it is not playable sound. */
  convert(frame: Frame): Stereo | null {
    const sound = this.#convert(frame);
    if (sound !== null) for (const side of [sound.left, sound.right]) silenceDamage(side);
    return sound;
  }

  #convert(frame: Frame): Stereo | null {
    const copied = this.#plain?.take(frame) ?? null;
    if (copied !== null) return copied;
    if (!isPlayableSound(frame)) return null;
    const planes = frame.extendedData;
    const count = frame.nbSamples;
    if (planes === null || count === 0) return silentStereo(0);
    if (frame.format === AV_SAMPLE_FMT_FLTP && frame.channels <= 2 && frame.sampleRate === this.#rate) {
      this.#plain?.[Symbol.dispose]();
      this.#plain = new PlainCopy(frame.channelLayout, this.#rate, Math.max(count, TYPICAL_FRAME));
      return { left: floats(planes[0]!, count), right: floats(planes.at(-1)!, count) };
    }
    const context = this.#contextFor(frame);
    const room = frame.sampleRate === this.#rate ? count : context.getOutSamples(count);
    const out = Array.from({ length: this.#planes }, () => Buffer.from(new ArrayBuffer(room * 4)));
    const made = mustSucceed(context.convertSync(out, room, planes, count), 'swr_convert');
    return { left: floats(out[0]!, made), right: floats(out[Math.min(1, this.#planes - 1)]!, made) };
  }

  [Symbol.dispose](): void {
    this.#plain?.[Symbol.dispose]();
    this.#context?.free();
  }

  #contextFor(frame: Frame): SoftwareResampleContext {
    const { nbChannels, order, mask } = frame.channelLayout;
    const key = `${frame.format} ${frame.sampleRate} ${nbChannels} ${order} ${mask}`;
    if (this.#context !== null && key === this.#key) return this.#context;
    this.#context?.free();
    const from = meantLayout(frame.channelLayout);
    // A layout that cannot be folded (ambisonics, 13 unnamed channels) is reduced to its first two channels.
    const to = nbChannels === 1 ? MONO : from.order === AV_CHANNEL_ORDER_NATIVE ? STEREO_LAYOUT : from;
    const context = new SoftwareResampleContext();
    this.#context = context;
    mustSucceed(
      context.allocSetOpts2(to, AV_SAMPLE_FMT_FLTP, this.#rate, from, frame.format as never, frame.sampleRate),
      'swr_alloc_set_opts2',
    );
    mustSucceed(context.init(), 'swr_init');
    this.#key = key;
    this.#planes = to.nbChannels;
    return context;
  }
}

/** Float files may hold invalid values; one of them would break the limiter and the encoder. (H13) */
function silenceDamage(samples: Float32Array): void {
  for (let i = 0; i < samples.length; i++) if (!(Math.abs(samples[i]!) <= LOUDEST)) samples[i] = 0;
}

/** If a file only counts its channels, the default layout for that count applies. */
function meantLayout(layout: ChannelLayout): ChannelLayout {
  if (layout.nbChannels === 1) return MONO;
  if (layout.nbChannels === 2) return STEREO_LAYOUT;
  return layout.order === AV_CHANNEL_ORDER_UNSPEC ? avChannelLayoutDefault(layout.nbChannels) : layout;
}

function floats(plane: Buffer, count: number): Float32Array {
  return new Float32Array(plane.buffer, plane.byteOffset, count);
}

/**
 * Copies planar float frames of one layout and rate into its own memory. A view of each frame's memory would be an
 * object for the garbage collector per channel and frame, and costs four times as much as the copy.
 */
class PlainCopy implements Disposable {
  readonly #context = new SoftwareResampleContext();
  readonly #copy: Frame;
  readonly #room: Stereo;

  /** For mono, which is heard on both sides, and stereo; `length` is that of the longest frame it takes. */
  constructor(layout: ChannelLayout, rate: number, length: number) {
    const same = [layout, AV_SAMPLE_FMT_FLTP, rate] as const;
    mustSucceed(this.#context.allocSetOpts2(...same, ...same), 'swr_alloc_set_opts2');
    mustSucceed(this.#context.init(), 'swr_init');
    ({ frame: this.#copy, room: this.#room } = planarFrame(layout, rate, length));
  }

  /** The frame's samples, until the next call; null if the frame is of another kind, or too long. */
  take(frame: Frame): Stereo | null {
    const count = frame.nbSamples;
    if (count > this.#room.left.length) return null;
    this.#copy.nbSamples = count;
    // Refuses, and copies nothing, if layout, format or rate differ from those it was made for.
    return this.#context.convertFrame(this.#copy, frame) < 0 ? null : stereoView(this.#room, 0, count);
  }

  [Symbol.dispose](): void {
    this.#context.free();
    this.#copy.free();
  }
}
