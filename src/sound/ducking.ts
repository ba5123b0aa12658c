import { firstIndex } from '../collections.ts';
import { VOICE_DUCK } from '../plan/frame/clip-pass.ts';
import type { AudioClip, SoundBus } from '../plan/model/audio-plan.ts';
import { type Range, SAMPLE_RATE } from '../time.ts';
import type { Stereo } from './dsp/stereo.ts';

/** How far something goes down, and how quickly; lengths in samples. */
interface Duck {
  readonly db: number;
  /** Before the first sample of the ducking sound. */
  readonly down: number;
  /** How long it stays down afterwards, and how long it takes to come back. */
  readonly stays: number;
  readonly up: number;
}

/** The ducking of other sounds while a tile sounds. (C45, C57) */
const TILE_DUCK: Duck = { db: 6, down: seconds(0.03), stays: 0, up: seconds(0.15) };

/**
 * The duckings after a bus and those before it are added: music under voice, then music and plain sounds under tiles.
 * (C57)
 */
export function duckings(
  clips: readonly AudioClip[],
  voice: readonly Range<number>[],
  duckDb: number,
): Partial<Record<SoundBus, Ducking>> {
  const tiles = clips.filter(({ bus }) => bus === 'tile').map(({ slot }) => slot);
  return { music: new Ducking(voice, { ...VOICE_DUCK, db: duckDb }), plain: new Ducking(tiles, TILE_DUCK) };
}

/**
 * Lowers a bus while something else sounds. A function of the timeline's sample alone: a range mixed alone is lowered as it is within
 * the whole.
 */
class Ducking {
  readonly #slots: readonly Range<number>[];
  readonly #duck: Duck;
  readonly #lowest: number;

  /** @param slots when the other sounds, in samples of the timeline. */
  constructor(slots: readonly Range<number>[], duck: Duck) {
    this.#duck = duck;
    this.#lowest = 10 ** (-duck.db / 20);
    this.#slots = joined(slots, duck);
  }

  /** Lowers `bus`, whose first sample is the timeline's sample `at`. */
  lower(bus: Stereo, at: number): void {
    const { down } = this.#duck;
    const end = at + bus.left.length;
    const first = firstIndex(this.#slots.length, (index) => this.#upAt(this.#slots[index]!) > at);
    for (let index = first; index < this.#slots.length && this.#slots[index]!.start - down < end; index++) {
      const slot = this.#slots[index]!;
      const to = Math.min(end, this.#upAt(slot));
      for (let n = Math.max(at, slot.start - down); n < to; n++) {
        const level = 1 - (1 - this.#lowest) * this.#depthAt(slot, n);
        bus.left[n - at]! *= level;
        bus.right[n - at]! *= level;
      }
    }
  }

  #upAt({ end }: Range<number>): number {
    return end + this.#duck.stays + this.#duck.up;
  }

  /** From 0 to 1, along a cosine. */
  #depthAt({ start, end }: Range<number>, n: number): number {
    const { down, stays, up } = this.#duck;
    if (n < start) return smooth(1 - (start - n) / down);
    return n < end + stays ? 1 : smooth(1 - (n - end - stays) / up);
  }
}

/** In order. If there is no time to come back in between, the level stays down: it must not pump. */
function joined(slots: readonly Range<number>[], { down, stays, up }: Duck): Range<number>[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of slots.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last !== undefined && start - down < last.end + stays + up) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

function smooth(share: number): number {
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
}

function seconds(count: number): number {
  return Math.round(count * SAMPLE_RATE);
}
