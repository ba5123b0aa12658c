import type { Found } from '../export/device-messages.ts';
import type { Context } from '../preview/canvas/browser-surface.ts';
import * as texts from '../texts/en/check.ts';
import type { Planes } from './film-planes.ts';
import { likeness } from './luma-likeness.ts';

/**
 * A short video that shows whether a browser encodes as the program needs it: flat colours, a number in black and white that is
 * different in each frame, and a pattern that moves. Some frames repeat the one before, and key frames are in the middle.
 */
export const CARD_FRAMES = 30;
const KEYS: readonly number[] = [0, 20];
/** These frames look like the one before them. */
const REPEATED = { from: 11, to: 15 };

const COLORS = ['#ffffff', '#e6d21e', '#1ec8d2', '#28b43c', '#b428aa', '#c8281e', '#1e32c8', '#787878'] as const;
const CELLS = 5;
/** The heights of the bands, as shares of the card. */
const [FLAT_SHARE, NUMBER_SHARE] = [0.4, 0.2];
const PATTERN_PX = 24;

/** Limits of what an encoder may change: levels of flat colours, and the likeness of a frame. */
const MAX_COLOR_ERROR = 3;
const MIN_LIKENESS = 0.9;

export function isKeyOfCard(frame: number): boolean {
  return KEYS.includes(frame);
}

/** The frame whose picture is shown at `frame`. */
export function shownOfCard(frame: number): number {
  return frame >= REPEATED.from && frame < REPEATED.to ? REPEATED.from - 1 : frame;
}

export function drawCard(context: Context, frame: number): void {
  const { width, height } = context.canvas;
  const [flat, number] = [Math.round(height * FLAT_SHARE), Math.round(height * NUMBER_SHARE)];
  for (const [index, color] of COLORS.entries()) {
    context.fillStyle = color;
    context.fillRect(Math.floor((index * width) / COLORS.length), 0, Math.ceil(width / COLORS.length), flat);
  }
  for (let cell = 0; cell < CELLS; cell += 1) {
    context.fillStyle = (frame >> cell) & 1 ? '#ffffff' : '#000000';
    context.fillRect(Math.floor((cell * width) / CELLS), flat, Math.ceil(width / CELLS), number);
  }
  for (let top = flat + number; top < height; top += PATTERN_PX) {
    for (let left = -PATTERN_PX; left < width; left += PATTERN_PX) {
      const shade = 40 + ((left * 7 + top * 13) & 127);
      context.fillStyle = `rgb(${shade}, ${(shade * 3) & 255}, ${255 - shade})`;
      context.fillRect(left + ((3 * frame) % PATTERN_PX), top, PATTERN_PX, PATTERN_PX);
    }
  }
}

/** Compares decoded frames with the drawn ones. */
export class CardReader {
  readonly #drawn = new Map<number, Planes>();
  readonly #wrong: string[] = [];
  readonly #changed: number[] = [];
  #seen = 0;
  #colorError = 0;
  #likeness = 1;
  #tags: string | null = null;
  #held: Uint8Array | null = null;

  /** What was drawn as `frame`, before it was encoded. */
  drawn(frame: number, planes: Planes): void {
    this.#drawn.set(frame, planes);
  }

  /** The next decoded frame. */
  decoded(planes: Planes, space: VideoColorSpace | VideoColorSpaceInit): void {
    const frame = this.#seen;
    this.#seen += 1;
    const shown = shownOfCard(frame);
    const wanted = this.#drawn.get(shown);
    if (wanted === undefined) return;
    const { matrix, primaries, transfer, fullRange } = space;
    const isOurs = matrix === 'bt709' && primaries === 'bt709' && transfer === 'bt709' && fullRange === false;
    if (!isOurs) this.#tags = `${matrix}/${primaries}/${transfer}/${fullRange ? 'full' : 'limited'}`;
    const number = numberOn(planes);
    if (number !== shown) this.#wrong.push(texts.wrongFrame(frame, number));
    if (shown !== frame && this.#held !== null && !equal(this.#held, planes.y)) this.#changed.push(frame);
    this.#held = planes.y;
    this.#colorError = Math.max(this.#colorError, colorError(wanted, planes));
    this.#likeness = Math.min(this.#likeness, likeness(wanted, planes));
  }

  frames(): Found {
    if (this.#seen !== CARD_FRAMES) return { ok: false, detail: texts.framesOf(this.#seen, CARD_FRAMES) };
    const [wrong] = this.#wrong;
    return { ok: wrong === undefined, detail: wrong ?? texts.allFrames(CARD_FRAMES) };
  }

  references(): Found {
    const [changed] = this.#changed;
    return {
      ok: changed === undefined && this.#seen > REPEATED.to,
      detail: changed === undefined ? texts.repeatedFrames(REPEATED.to - REPEATED.from) : texts.changedFrame(changed),
    };
  }

  range(): Found {
    return { ok: this.#tags === null && this.#seen > 0, detail: this.#tags ?? texts.ourTags };
  }

  colors(): Found {
    const error = this.#colorError;
    return { ok: error <= MAX_COLOR_ERROR && this.#seen > 0, detail: texts.offBy(error.toFixed(1)) };
  }

  likeness(): Found {
    return {
      ok: this.#likeness >= MIN_LIKENESS && this.#seen > 0,
      detail: texts.ssimFrom(this.#likeness.toFixed(3)),
    };
  }
}

/** The number that a frame shows. */
function numberOn(planes: Planes): number {
  const y = Math.round(planes.height * (FLAT_SHARE + NUMBER_SHARE / 2));
  let number = 0;
  for (let cell = 0; cell < CELLS; cell += 1) {
    const x = Math.round(((cell + 0.5) * planes.width) / CELLS);
    if (planes.y[y * planes.width + x]! > 128) number |= 1 << cell;
  }
  return number;
}

/** How far the mean of a flat colour is from what was drawn, in the worst plane. */
function colorError(wanted: Planes, got: Planes): number {
  let worst = 0;
  for (let index = 0; index < COLORS.length; index += 1) {
    for (const plane of ['y', 'u', 'v'] as const) {
      worst = Math.max(worst, Math.abs(meanOfBar(wanted, plane, index) - meanOfBar(got, plane, index)));
    }
  }
  return worst;
}

/** The middle of a bar: its edges bleed into each other. */
function meanOfBar(planes: Planes, plane: 'y' | 'u' | 'v', index: number): number {
  const scale = plane === 'y' ? 1 : 2;
  const [width, height] = [planes.width / scale, planes.height / scale];
  const bar = width / COLORS.length;
  const [left, right] = [Math.ceil(bar * (index + 0.3)), Math.floor(bar * (index + 0.7))];
  const [top, bottom] = [Math.ceil(height * FLAT_SHARE * 0.25), Math.floor(height * FLAT_SHARE * 0.75)];
  let sum = 0;
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) sum += planes[plane][y * width + x]!;
  return sum / ((right - left) * (bottom - top));
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((value, index) => value === b[index]);
}
