import type { Line } from './stream-clock.ts';

/** A recorded span, in ticks of the master clock; the last one may be open. */
interface Span {
  readonly from: number;
  readonly to: number | null;
}

/** The recorded part of a buffer: its offset in the buffer, its length, and its position in the recording. All in ticks. */
interface Part {
  readonly skip: number;
  readonly length: number;
  readonly at: number;
}

/**
 * The recorded spans of a take. Sound is the master clock: a tick is a sample. Without sound the page's clock is the master. Every
 * pause cuts all tracks at the same tick.
 */
export class TakeSpans {
  #spans: Span[] = [];

  get spans(): readonly Span[] {
    return this.#spans;
  }

  get isRunning(): boolean {
    return this.#spans.at(-1)?.to === null;
  }

  /** Records from a tick on, but not before the end of the last span. */
  go(tick: number): void {
    if (!this.isRunning) this.#spans.push({ from: Math.max(tick, this.#spans.at(-1)?.to ?? 0), to: null });
  }

  /** Records up to a tick. */
  pause(tick: number): void {
    const last = this.#spans.at(-1);
    if (last?.to === null) this.#spans[this.#spans.length - 1] = { from: last.from, to: Math.max(tick, last.from) };
  }

  /** The position of a tick in the recording; null if it is not recorded. */
  placeOf(tick: number): number | null {
    let before = 0;
    for (const { from, to } of this.#spans) {
      if (tick < from) return null;
      if (to === null || tick < to) return before + tick - from;
      before += to - from;
    }
    return null;
  }

  /** The recorded parts of a buffer. */
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

/** Everything needed to convert page time to recording time; the worker sends it to the page. */
export interface TakeTimes {
  /** From milliseconds of the master to milliseconds of the page. */
  readonly line: Line;
  readonly ticksPerSecond: number;
  /** The latency of the master's device, as set by the user. */
  readonly delayMs: number;
  readonly spans: readonly Span[];
}

/** Converts page time to seconds of the recording. A time in a pause maps to the cut. */
export function takeSeconds({ line, ticksPerSecond, delayMs, spans }: TakeTimes, pageMs: number): number {
  const tick = ((pageMs + delayMs - line.offset) / line.rate / 1000) * ticksPerSecond;
  let place = 0;
  for (const { from, to } of spans) place += Math.max(0, Math.min(tick, to ?? tick) - from);
  return place / ticksPerSecond;
}

/** The seconds of the recording at which pauses cut it. */
export function cutSeconds({ spans, ticksPerSecond }: TakeTimes): number[] {
  let place = 0;
  return spans.slice(0, -1).map(({ from, to }) => {
    place += (to ?? from) - from;
    return place / ticksPerSecond;
  });
}
