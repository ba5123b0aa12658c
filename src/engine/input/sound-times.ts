import {
  AV_CODEC_ID_AC3,
  AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_WMAV1,
  AV_CODEC_ID_WMAV2,
  AV_NOPTS_VALUE,
  type AVCodecID,
} from 'node-av/constants';
import { avGetCodecName, type Packet, Rational, type Stream } from 'node-av/lib';
import type { MediaContainer } from './media-containers.ts';

/** How many samples a packet adds to its stream. */
interface PacketLength {
  /** How many samples of a packet the decoder returns with the next one. */
  readonly carried: number;
  /** How far the container's clock may be from the count, in samples. */
  readonly tolerance: number;
  readonly samplesIn: (packet: Packet) => number;
}

/** Corrects the times of a stream's packets, in the order of reading. */
export interface SoundTimes {
  /** Whether it needs every packet from the start on: a seek anywhere else would lose the count. */
  readonly fromStart: boolean;
  /** Call it after each seek. */
  startOver(): void;
  /** Call it with every packet of the stream. False if a seek missed the first packet with its timestamp: the stream must be read from its start. */
  retime(packet: Packet): boolean;
}

/** Packets that share one timestamp follow each other, as those of a Matroska file whose writer had no clock. */
class SharedTimes implements SoundTimes {
  readonly fromStart = false;
  readonly #stream: Stream;
  readonly #tickSamples: number;
  /** The timestamp and the position of the first packet. */
  #first: { readonly pts: bigint; readonly pos: bigint } | null = null;
  #told: bigint | null = null;
  /** Samples since the first packet with this timestamp. */
  #samples = 0;

  constructor(stream: Stream) {
    this.#stream = stream;
    this.#tickSamples = samplesATick(stream);
  }

  startOver(): void {
    this.#told = null;
  }

  retime(packet: Packet): boolean {
    const { pts, pos } = packet;
    if (pts === AV_NOPTS_VALUE) return true;
    this.#first ??= { pts, pos };
    // Of index entries with one timestamp, libavformat takes the last.
    if (this.#told === null && pts === this.#first.pts && pos !== this.#first.pos) {
      this.#first = null;
      return false;
    }
    if (pts === this.#told) {
      packet.pts = pts + BigInt(Math.round(this.#samples / this.#tickSamples));
      packet.dts = packet.pts;
    } else this.#samples = 0;
    this.#told = pts;
    this.#samples += this.#samplesIn(packet);
    return true;
  }

  /** The duration of a packet is in ticks, which are too coarse to be added up. */
  #samplesIn(packet: Packet): number {
    const { codecId, frameSize, channels, bitsPerCodedSample } = this.#stream.codecpar;
    const told = Number(packet.duration) * this.#tickSamples;
    const isFrame = Math.abs(frameSize - told) <= this.#tickSamples;
    if (frameSize > 0 && isFrame) return frameSize;
    return isPcm(codecId) ? (packet.size * 8) / (channels * bitsPerCodedSample) : told;
  }
}

/**
 * Gives packets of sound the times that the count of their samples gives, where those of the container are estimates. If
 * the container's clock is further away than a tolerance, the count follows it, continuously.
 */
class CountedSound implements SoundTimes {
  readonly fromStart = true;
  readonly #length: PacketLength;
  readonly #tickSamples: number;
  /** The time of the first packet, in ticks; null before it. */
  #start: bigint | null = null;
  #samples = 0;

  constructor(length: PacketLength, tickSamples: number) {
    this.#length = length;
    this.#tickSamples = tickSamples;
  }

  startOver(): void {
    this.#start = null;
    this.#samples = 0;
  }

  retime(packet: Packet): boolean {
    const { carried, tolerance, samplesIn } = this.#length;
    const told = packet.pts === AV_NOPTS_VALUE ? packet.dts : packet.pts;
    this.#start ??= told === AV_NOPTS_VALUE ? 0n : told;
    const begins = Math.max(0, this.#samples - carried);
    this.#samples += samplesIn(packet);
    const apart = told === AV_NOPTS_VALUE ? 0 : Number(told - this.#start) * this.#tickSamples - begins;
    const late = Math.sign(apart) * Math.max(0, Math.abs(apart) - tolerance);
    const ticks = (samples: number) => Math.round((samples + late) / this.#tickSamples);
    packet.pts = this.#start + BigInt(ticks(begins));
    packet.dts = packet.pts;
    packet.duration = BigInt(ticks(this.#samples) - ticks(begins));
    return true;
  }
}

/** How to correct the times of a file's sound; null if the container's times are used. */
export function soundTimes(container: MediaContainer, stream: Stream): SoundTimes | null {
  if (container === 'matroska') return new SharedTimes(stream);
  if (container === 'avi') correctByteClock(stream);
  const tickSamples = samplesATick(stream);
  const length =
    container === 'avi' ? frameLength(stream, tickSamples) : container === 'asf' ? wmaLength(stream) : null;
  return length && new CountedSound(length, tickSamples);
}

function samplesATick({ codecpar, timeBase }: Stream): number {
  return (codecpar.sampleRate * timeBase.num) / timeBase.den;
}

function isPcm(codec: AVCodecID): boolean {
  return avGetCodecName(codec)?.startsWith('pcm_') === true;
}

/** Codecs whose frames are all of one length in a stream. */
const CONSTANT_FRAMES: ReadonlySet<AVCodecID> = new Set([
  AV_CODEC_ID_MP1,
  AV_CODEC_ID_MP2,
  AV_CODEC_ID_MP3,
  AV_CODEC_ID_AC3,
]);
const AC3_FRAME_SAMPLES = 1536;
/** A tick of fewer samples is shorter than any frame. */
const SHORT_TICK_SAMPLES = 128;

/**
 * MPEG audio and AC-3 in an AVI whose clock counts bytes; null if a tick is a frame. Each packet begins and ends in the
 * middle of a frame, so libavformat estimates when the frames in it begin.
 */
function frameLength({ codecpar }: Stream, tickSamples: number): PacketLength | null {
  if (!CONSTANT_FRAMES.has(codecpar.codecId) || tickSamples >= SHORT_TICK_SAMPLES) return null;
  const samples = codecpar.frameSize || (codecpar.codecId === AV_CODEC_ID_AC3 ? AC3_FRAME_SAMPLES : 0);
  if (samples === 0) return null;
  return { carried: 0, tolerance: Number.POSITIVE_INFINITY, samplesIn: () => samples };
}

/** Clocks that differ by less have one rate: programs correct drift by a little. */
const SAME_RATE = 0.01;

/**
 * The clock of PCM in AVI may count bytes, though its unit is a block. libavformat counts blocks by that clock: sound of four
 * bytes a block would play in a quarter of its time.
 */
function correctByteClock(stream: Stream): void {
  const { codecId, sampleRate, channels, bitsPerCodedSample } = stream.codecpar;
  const { num, den } = stream.timeBase;
  const blockBytes = (channels * bitsPerCodedSample) / 8;
  if (!isPcm(codecId) || blockBytes <= 1 || Math.abs(den / num / (sampleRate * blockBytes) - 1) > SAME_RATE) return;
  stream.timeBase = new Rational(1, sampleRate);
}

/** A WMA frame's length depends on the sampling rate: the first limit that it does not exceed. */
const WMA_FRAMES: readonly (readonly [maxRate: number, samples: number])[] = [
  [16_000, 512],
  [22_050, 1024],
  [48_000, 2048],
  [96_000, 4096],
];
const WMA1_MAX_RATE_OF_1024 = 32_000;
const LONGEST_WMA_FRAME = 8192;
/** Encoders round the time of a packet by up to a frame, and the first one down to 0. */
const WMA_CLOCK_FRAMES = 1.5;
/** Flag of the codec's header: frames continue in the next packet. */
const WMA_RESERVOIR = 2;

/** Samples of a frame of WMA 1 and 2; null for other codecs. */
export function wmaFrameSamples({ codecpar: { codecId, sampleRate } }: Stream): number | null {
  if (codecId !== AV_CODEC_ID_WMAV1 && codecId !== AV_CODEC_ID_WMAV2) return null;
  const isFirst = codecId === AV_CODEC_ID_WMAV1;
  if (isFirst && sampleRate > 16_000 && sampleRate <= WMA1_MAX_RATE_OF_1024) return 1024;
  const samples = WMA_FRAMES.find(([maxRate]) => sampleRate <= maxRate)?.[1] ?? LONGEST_WMA_FRAME;
  return isFirst ? Math.min(2048, samples) : samples;
}

/**
 * WMA 1 and 2: a packet says how many frames begin in it, and the last of them usually ends in the next packet.
 * Its time in the file is up to a frame and a half off.
 */
function wmaLength(stream: Stream): PacketLength | null {
  const frame = wmaFrameSamples(stream);
  if (frame === null) return null;
  const { codecId, extradata } = stream.codecpar;
  const flagsAt = codecId === AV_CODEC_ID_WMAV1 ? 2 : 4;
  const flags = extradata !== null && extradata.length >= flagsAt + 2 ? extradata.readUInt16LE(flagsAt) : 0;
  const hasReservoir = (flags & WMA_RESERVOIR) !== 0;
  let block: number | null = null;
  const samplesIn = (packet: Packet) => {
    block ??= Math.max(1, packet.size);
    const blocks = Math.max(1, Math.floor(packet.size / block));
    if (!hasReservoir) return blocks * frame;
    const bytes = packet.data;
    let frames = 0;
    for (let n = 0; n < blocks && bytes !== null; n++) frames += (bytes[n * block] ?? 0) & 15;
    return frames * frame;
  };
  return { carried: hasReservoir ? frame : 0, tolerance: WMA_CLOCK_FRAMES * frame, samplesIn };
}
