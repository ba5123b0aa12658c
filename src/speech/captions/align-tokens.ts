import type { Range } from '../../time.ts';

/** Neighbours in time that the median looks at. */
const MEDIAN_OF = 7;

/**
 * The attention of one step of the decoder: for each layer, the heads' weights of every encoder frame, head after head.
 */
export type StepAttention = readonly Float32Array[];

/**
 * Which encoder frames each token was heard in: the path through steps and frames with the most attention, forward in both.
 * (Dynamic time warping over normalised cross-attention.)
 *
 * @param steps one for each token.
 * @returns first and last frame of each token.
 */
export function alignTokens(steps: readonly StepAttention[], heads: number): Range<number>[] {
  const frames = (steps[0]?.[0]?.length ?? 0) / heads;
  if (frames === 0) return [];
  return cheapestPath(meanAttention(steps, heads, frames), steps.length, frames);
}

/** Heads differ in how sharply they look, so each row is normalised before the mean; the median takes out single frames. */
function meanAttention(steps: readonly StepAttention[], heads: number, frames: number): Float32Array {
  const mean = new Float32Array(steps.length * frames);
  const row = new Float32Array(frames);
  for (const [step, layers] of steps.entries()) {
    for (const layer of layers) {
      for (let head = 0; head < heads; head++) {
        normalise(layer.subarray(head * frames, (head + 1) * frames), row);
        for (let frame = 0; frame < frames; frame++) mean[step * frames + frame]! += medianAround(row, frame);
      }
    }
  }
  const rows = heads * (steps[0]?.length ?? 1);
  return mean.map((sum) => sum / rows);
}

/** To a mean of 0 and a deviation of 1. */
function normalise(weights: Float32Array, into: Float32Array): void {
  let [sum, squares] = [0, 0];
  for (const weight of weights) sum += weight;
  const mean = sum / weights.length;
  for (const weight of weights) squares += (weight - mean) ** 2;
  const deviation = Math.sqrt(squares / weights.length) || 1;
  for (let n = 0; n < weights.length; n++) into[n] = (weights[n]! - mean) / deviation;
}

const sorted = new Float32Array(MEDIAN_OF);

/** Of a frame and its neighbours, mirrored at both ends. */
function medianAround(row: Float32Array, frame: number): number {
  const reach = MEDIAN_OF >> 1;
  for (let n = 0; n < MEDIAN_OF; n++) {
    const value = row[mirrored(frame + n - reach, row.length)]!;
    let at = n;
    for (; at > 0 && sorted[at - 1]! > value; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = value;
  }
  return sorted[reach]!;
}

function mirrored(index: number, length: number): number {
  const within = index < 0 ? -index : index >= length ? 2 * length - 2 - index : index;
  return Math.min(Math.max(within, 0), length - 1);
}

/** Where the cheapest way to a cell comes from. */
const BOTH = 0;
const STEP = 1;
const FRAME = 2;

function cheapestPath(gain: Float32Array, steps: number, frames: number): Range<number>[] {
  const width = frames + 1;
  const cost = new Float32Array((steps + 1) * width).fill(Number.POSITIVE_INFINITY);
  const from = new Uint8Array(steps * frames);
  cost[0] = 0;
  for (let step = 0; step < steps; step++) {
    for (let frame = 0; frame < frames; frame++) {
      const [both, byStep, byFrame] = [
        cost[step * width + frame]!,
        cost[step * width + frame + 1]!,
        cost[(step + 1) * width + frame]!,
      ];
      const min = Math.min(both, byStep, byFrame);
      from[step * frames + frame] = min === both ? BOTH : min === byStep ? STEP : FRAME;
      cost[(step + 1) * width + frame + 1] = min - gain[step * frames + frame]!;
    }
  }
  const heard = Array.from({ length: steps }, () => ({ start: 0, end: 0 }));
  let [step, frame] = [steps - 1, frames - 1];
  heard[step]!.end = frame;
  while (step >= 0 && frame >= 0) {
    heard[step]!.start = frame;
    const came = from[step * frames + frame];
    if (came !== STEP) frame--;
    if (came !== FRAME) {
      step--;
      if (step >= 0) heard[step]!.end = Math.max(frame, 0);
    }
  }
  return heard;
}

/** A token for one byte, such as `<0xE2>`. */
const BYTE_TOKEN = /^<0x(?<hex>[0-9A-F]{2})>$/;
/** The prefix of a token that begins a word. */
const WORD_START = '\u2581';

/** The tokens of a speech model, by number. */
export class TokenTable {
  readonly #tokens: readonly Uint8Array[];

  /** @param bytes each token behind its length: one byte, or two from 128 up, low bits first. */
  constructor(bytes: Uint8Array) {
    const tokens: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const low = bytes[at++]!;
      const length = low < 128 ? low : low - 128 + bytes[at++]! * 128;
      tokens.push(bytes.subarray(at, at + length));
      at += length;
    }
    this.#tokens = tokens;
  }

  beginsWord(token: number): boolean {
    return this.#read([token]).startsWith(WORD_START);
  }

  text(tokens: readonly number[]): string {
    return this.#read(tokens).replaceAll(WORD_START, ' ').trim();
  }

  #read(tokens: readonly number[]): string {
    const parts = tokens.map((token) => {
      const bytes = this.#tokens[token] ?? new Uint8Array();
      const hex = BYTE_TOKEN.exec(new TextDecoder().decode(bytes))?.groups?.hex;
      return hex === undefined ? bytes : Uint8Array.of(Number.parseInt(hex, 16));
    });
    const text = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      text.set(part, at);
      at += part.length;
    }
    return new TextDecoder().decode(text);
  }
}
