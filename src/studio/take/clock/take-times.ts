import type { Line } from './stream-clock.ts';

/** A stretch that is recorded, in ticks of the master clock; the last one may be open. */
interface Span {
  readonly from: number;
  readonly to: number | null;
}

/** Part of a buffer that is recorded: where it begins in the buffer, its length, and its place in the recording. All in ticks. */
interface Part {
  readonly skip: number;
  readonly length: number;
  readonly at: number;
}

/**
 * Which stretches of a take are recorded. The master is the sound: a tick is a sample. Without sound it is the page's clock. Every pause
 * cuts all tracks at the same tick.
 */
export class TakeSpans {
  #spans: Span[] = [];

  get spans(): readonly Span[] {
    return this.#spans;
  }

  get isRunning(): boolean {
    return this.#spans.at(-1)?.to === null;
  }

  /** Records from a tick on, at the earliest where the last stretch ends. */
  go(tick: number): void {
    if (!this.isRunning) this.#spans.push({ from: Math.max(tick, this.#spans.at(-1)?.to ?? 0), to: null });
  }

  /** Records up to a tick. */
  pause(tick: number): void {
    const last = this.#spans.at(-1);
    if (last?.to === null) this.#spans[this.#spans.length - 1] = { from: last.from, to: Math.max(tick, last.from) };
  }

  /** The place of a tick in the recording; null where it is not recorded. */
  placeOf(tick: number): number | null {
    let before = 0;
    for (const { from, to } of this.#spans) {
      if (tick < from) return null;
      if (to === null || tick < to) return before + tick - from;
      before += to - from;
    }
    return null;
  }

  /** What of a buffer is recorded. */
  partsOf(start: number, length: number): Part[] {
    const parts: Part[] = [];
    let before = 0;
    for (const { from, to } of this.#spans) {
      const first = Math.max(start, from);
      const end = Math.min(start + length, to ?? Number.POSITIVE_INFINITY);
      if (end > first) parts.push({ skip: first - start, length: end - first, at: before + first - from });
      before += (to ?? 0) - from;
    }
    return parts;
  }
}

/** All that is needed to find a moment of the page in the recording; it passes from the worker to the page. */
export interface TakeTimes {
  /** From milliseconds of the master to those of the page. */
  readonly line: Line;
  readonly ticksPerSecond: number;
  /** By how much the master is late at the source, as its device is set. */
  readonly delayMs: number;
  readonly spans: readonly Span[];
}

/** The second of the recording at which something happened on the page. What happened in a pause is at the cut. */
export function takeSeconds({ line, ticksPerSecond, delayMs, spans }: TakeTimes, pageMs: number): number {
  const tick = ((pageMs + delayMs - line.offset) / line.rate / 1000) * ticksPerSecond;
  let place = 0;
  for (const { from, to } of spans) place += Math.max(0, Math.min(tick, to ?? tick) - from);
  return place / ticksPerSecond;
}

/** The seconds of the recording at which it was cut. */
export function cutSeconds({ spans, ticksPerSecond }: TakeTimes): number[] {
  let place = 0;
  return spans.slice(0, -1).map(({ from, to }) => {
    place += (to ?? from) - from;
    return place / ticksPerSecond;
  });
}
