import type { FrameRate } from '../../time.ts';

/** A level of H.264: the abilities of a decoder that declares it. */
interface Level {
  readonly name: string;
  /** Macroblocks a second and a frame. */
  readonly perSecond: number;
  readonly perFrame: number;
  /** Bits a second at the most, and bits that wait to be decoded; in thousands, for the High profile. */
  readonly kbps: number;
  readonly kbits: number;
}

/** Rec. ITU-T H.264, table A-1. 4.0 is left out: players of 4.0 also play 4.1. */
const LEVELS: readonly Level[] = [
  { name: '3.0', perSecond: 40_500, perFrame: 1_620, kbps: 12_500, kbits: 12_500 },
  { name: '3.1', perSecond: 108_000, perFrame: 3_600, kbps: 17_500, kbits: 17_500 },
  { name: '3.2', perSecond: 216_000, perFrame: 5_120, kbps: 25_000, kbits: 25_000 },
  { name: '4.1', perSecond: 245_760, perFrame: 8_192, kbps: 62_500, kbits: 78_125 },
  { name: '4.2', perSecond: 522_240, perFrame: 8_704, kbps: 62_500, kbits: 78_125 },
  { name: '5.0', perSecond: 589_824, perFrame: 22_080, kbps: 168_750, kbits: 168_750 },
  { name: '5.1', perSecond: 983_040, perFrame: 36_864, kbps: 300_000, kbits: 300_000 },
];
const HIGHEST: Level = { name: '5.2', perSecond: 2_073_600, perFrame: 36_864, kbps: 300_000, kbits: 300_000 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The lowest level that allows this size and rate: phones refuse videos that declare more than they support, even if it
 * is not needed. x264 keeps its reference frames within it.
 */
export function h264Level(size: Size, rate: FrameRate): string {
  return levelFor(size, rate).name;
}

/** The least length of a chunk, except for the last. */
const SHORTEST_CHUNK_SECONDS = 2;

/**
 * The share of its level's rate and buffer that one chunk may use, so that any sequence of chunks keeps to the level.
 * (R24)
 *
 * Each is encoded as if the buffer were full when it begins. With half the buffer for each, the end of one chunk and
 * the beginning of the next share it; and a chunk in between must give back its half while it lasts.
 */
export function chunkShare(size: Size, rate: FrameRate): { readonly kbps: number; readonly kbits: number } {
  const { kbps, kbits } = levelFor(size, rate);
  return { kbps: Math.floor(kbps - kbits / 2 / SHORTEST_CHUNK_SECONDS), kbits: Math.floor(kbits / 2) };
}

/** The decoder's buffer as one chunk goes through it. */
export class LevelBuffer {
  readonly #perFrame: number;
  readonly #size: number;
  #level: number;
  #kept = true;

  constructor(size: Size, rate: FrameRate) {
    const { kbps, kbits } = chunkShare(size, rate);
    this.#perFrame = (kbps * 1000 * rate.den) / rate.num;
    this.#size = kbits * 1000;
    this.#level = this.#size;
  }

  /** Removes a picture of this many bytes, and adds a frame's time of bits. */
  add(bytes: number): void {
    this.#level -= bytes * 8;
    this.#kept &&= this.#level >= 0;
    this.#level = Math.min(this.#size, this.#level + this.#perFrame);
  }

  /** Whether there was always enough in it. */
  get kept(): boolean {
    return this.#kept;
  }
}

function levelFor({ width, height }: Size, { num, den }: FrameRate): Level {
  const perFrame = Math.ceil(width / 16) * Math.ceil(height / 16);
  const perSecond = (perFrame * num) / den;
  return LEVELS.find((level) => perSecond <= level.perSecond && perFrame <= level.perFrame) ?? HIGHEST;
}
