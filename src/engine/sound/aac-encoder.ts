import {
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_SAMPLE_FMT_FLTP,
  AVFMT_FLAG_BITEXACT,
  FF_ENCODER_AAC,
} from 'node-av/constants';
import { Codec, CodecContext, FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { AAC_FRAME_SAMPLES } from '../../iso/mp4/sample-entries.ts';
import { energyOf, type Stereo, StereoQueue, stereoView } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE } from '../../time.ts';
import { libavCause, mustSucceed } from '../libav/libav-call.ts';
import { planarFrame, STEREO_LAYOUT } from './planar-frame.ts';

const TIME_BASE = new Rational(1, SAMPLE_RATE);

/** Below this rate the fast search is worse than the careful one, by libavcodec's own documentation. */
const FAST_KBPS = 96;

/**
 * How quantizers are searched for. The fast search takes a quarter of the time and leaves less noise in all sound but loud
 * pure tones, which it clips (see `AacCheck`). Intensity stereo does harm at these rates: 11 dB of noise in a room's sound.
 */
const SEARCH = {
  fast: { aac_coder: 'fast', aac_is: '0', aac_tns: '0' },
  careful: { aac_coder: 'twoloop' },
} as const;

/** See `SEARCH`. */
export type AacSearch = keyof typeof SEARCH;

/**
 * Encodes AAC-LC into its own MP4, synchronously. An edit list declares the priming, and the sample table the last
 * frame's length, so that players and demuxers see exactly what was written, from time 0. The same samples give the
 * same bytes. (R16, R18)
 */
export class AacEncoder implements Disposable {
  readonly #encoder = new CodecContext();
  readonly #format = new FormatContext();
  readonly #packet = new Packet();
  /** Filled again for every call: the encoder no longer needs it when the call returns; `#input` is its memory. */
  readonly #frame: Frame;
  readonly #input: Stereo;
  readonly #waiting = new StereoQueue();
  readonly #stream: Stream;
  readonly #streamTimeBase: Rational;
  readonly #check: AacCheck | null;
  #written = 0;

  /** @throws `sound.unwritable` if the file cannot be made. */
  constructor(file: string, bitrateKbps: number, wanted: AacSearch) {
    const search = bitrateKbps < FAST_KBPS ? 'careful' : wanted;
    this.#packet.alloc();
    this.#openEncoder(bitrateKbps, search);
    ({ frame: this.#frame, room: this.#input } = planarFrame(STEREO_LAYOUT, SAMPLE_RATE, AAC_FRAME_SAMPLES));
    this.#check = search === 'fast' ? new AacCheck(this.#encoder.extraData) : null;
    mustSucceed(this.#format.allocOutputContext2(null, 'mp4', file), 'avformat_alloc_output_context2');
    this.#format.setFlags(AVFMT_FLAG_BITEXACT);
    this.#stream = this.#format.newStream(null);
    this.#stream.timeBase = TIME_BASE;
    mustSucceed(this.#stream.codecpar.fromContext(this.#encoder), 'avcodec_parameters_from_context');
    try {
      mustWrite(this.#format.openOutputSync(), 'avio_open');
      mustWrite(this.#format.writeHeaderSync(null), 'avformat_write_header');
      // The muxer may choose another time base.
      this.#streamTimeBase = this.#stream.timeBase;
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Whether the output sounds like the input; if not, the careful search has to be used. */
  get faithful(): boolean {
    return this.#check?.faithful ?? true;
  }

  /** Appends `sound`. @throws `sound.unwritable` */
  write(sound: Stereo): void {
    this.#waiting.push(sound);
    while (this.#waiting.length >= AAC_FRAME_SAMPLES) this.#encode(AAC_FRAME_SAMPLES);
  }

  /** Encodes the rest and completes the file. @throws `sound.unwritable` */
  finish(): void {
    if (this.#waiting.length > 0) this.#encode(this.#waiting.length);
    mustSucceed(this.#encoder.sendFrameSync(null), 'avcodec_send_frame');
    this.#takePackets();
    mustWrite(this.#format.writeTrailerSync(), 'av_write_trailer');
  }

  [Symbol.dispose](): void {
    this.#check?.[Symbol.dispose]();
    this.#packet.free();
    this.#frame.free();
    this.#encoder.freeContext();
    this.#format.closeOutputSync();
    this.#format.freeContext();
  }

  #openEncoder(bitrateKbps: number, search: AacSearch): void {
    const codec = Codec.findEncoderByName(FF_ENCODER_AAC);
    const encoder = this.#encoder;
    encoder.allocContext3(codec);
    encoder.sampleRate = SAMPLE_RATE;
    encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
    encoder.channelLayout = STEREO_LAYOUT;
    encoder.bitRate = BigInt(bitrateKbps) * 1000n;
    encoder.timeBase = TIME_BASE;
    encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT);
    // Not by a dictionary: the blocking open frees it, and its owner then frees it again.
    for (const [name, value] of Object.entries(SEARCH[search])) {
      mustSucceed(encoder.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN), 'av_opt_set');
    }
    mustSucceed(encoder.open2Sync(codec, null), 'avcodec_open2');
  }

  #encode(count: number): void {
    const sound = this.#waiting.peek(count);
    this.#check?.expect(sound);
    this.#input.left.set(sound.left);
    this.#input.right.set(sound.right);
    this.#frame.nbSamples = count;
    this.#frame.pts = BigInt(this.#written);
    this.#waiting.drop(count);
    this.#written += count;
    mustSucceed(this.#encoder.sendFrameSync(this.#frame), 'avcodec_send_frame');
    this.#takePackets();
  }

  #takePackets(): void {
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) {
      this.#check?.compare(this.#packet);
      this.#packet.streamIndex = this.#stream.index;
      this.#packet.rescaleTs(TIME_BASE, this.#streamTimeBase);
      mustWrite(this.#format.interleavedWriteFrameSync(this.#packet), 'av_interleaved_write_frame');
    }
  }
}

function mustWrite(result: number, call: string): void {
  if (result >= 0) return;
  throw new ExportError('unavailable', 'sound.unwritable', 'The sound could not be written: the disk may be full.', {
    cause: libavCause(result, call),
  });
}

/** Only a loud packet can be clipped (a tone of 0.47 is the softest), and a clipped one loses this much of its wave. */
const LOUD_RMS = 0.3;
const MIN_KEPT = 0.95;

/**
 * Decodes an encoder's output and compares. libavcodec's fast AAC search lets loud pure tones overflow (measured: 10 dB
 * of distance to the noise instead of 50), which shows as a wave with a smaller amplitude than the input. Soft packets
 * are not decoded; a loud one needs only the packet before it.
 */
class AacCheck implements Disposable {
  readonly #decoder = new CodecContext();
  readonly #frame = new Frame();
  readonly #expected = new StereoQueue();
  readonly #before = new Packet();
  /** Whether the decoder has seen the packet before this one, or there is none. */
  #warm = true;
  #faithful = true;

  /** `header` is the encoder's extra data. */
  constructor(header: Buffer | null) {
    const codec = Codec.findDecoder(AV_CODEC_ID_AAC);
    this.#decoder.allocContext3(codec);
    this.#decoder.extraData = header;
    this.#decoder.threadCount = 1;
    mustSucceed(this.#decoder.open2Sync(codec, null), 'avcodec_open2');
    this.#frame.alloc();
    this.#before.alloc();
    // The priming: a packet comes out of a decoder before the first sample that went into the encoder.
    this.#expected.pushSilence(AAC_FRAME_SAMPLES);
  }

  /** Whether the decoded sound equals the input, within the accuracy of an encoder. */
  get faithful(): boolean {
    return this.#faithful;
  }

  /** The encoder's input. */
  expect(sound: Stereo): void {
    this.#expected.push(sound);
  }

  /** The encoder's output. */
  compare(packet: Packet): void {
    const expected = this.#expected.peek(AAC_FRAME_SAMPLES);
    const loud = isLoud(expected.left) || isLoud(expected.right);
    if (loud) {
      if (!this.#warm) this.#decode(this.#before);
      const { left, right } = this.#decode(packet);
      this.#faithful &&= isKept(expected.left, left) && isKept(expected.right, right);
    }
    this.#warm = loud;
    this.#before.unref();
    mustSucceed(this.#before.ref(packet), 'av_packet_ref');
    this.#expected.drop(AAC_FRAME_SAMPLES);
  }

  [Symbol.dispose](): void {
    this.#before.free();
    this.#frame.free();
    this.#decoder.freeContext();
  }

  /** The sound of a packet: shorter than usual if it declares that its end is to be cut off. */
  #decode(packet: Packet): Stereo {
    mustSucceed(this.#decoder.sendPacketSync(packet), 'avcodec_send_packet');
    mustSucceed(this.#decoder.receiveFrameSync(this.#frame), 'avcodec_receive_frame');
    const [left, right] = this.#frame.data!.map((plane) => new Float32Array(plane.buffer, plane.byteOffset));
    return stereoView({ left: left!, right: right! }, 0, this.#frame.nbSamples);
  }
}

function isLoud(samples: Float32Array): boolean {
  return energyOf(samples) >= LOUD_RMS * LOUD_RMS * samples.length;
}

function isKept(before: Float32Array, after: Float32Array): boolean {
  const there = before.subarray(0, after.length);
  if (!isLoud(there)) return true;
  let kept = 0;
  for (let i = 0; i < there.length; i++) kept += there[i]! * after[i]!;
  return kept >= MIN_KEPT * energyOf(there);
}
