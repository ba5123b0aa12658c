/**
 * Units of time and the only rounding in the project.
 *
 * Seconds exist in JSON and in probes. Everything after the planner uses output frames, 48 kHz samples and, inside a
 * source file, integer microseconds. (R1)
 */

declare const unit: unique symbol;

/** A count or an index of output frames. */
export type Frames = number & { readonly [unit]: 'frames' };
/** A count or an index of 48 kHz output samples. */
export type Samples = number & { readonly [unit]: 'samples' };
/** A place or a length in a source file's own time. */
export type Micros = number & { readonly [unit]: 'micros' };
/** A time as in JSON and in probes. */
export type Seconds = number;

/** Frames a second as an exact fraction in lowest terms: 29.97 is 30000/1001. */
export interface FrameRate {
  readonly num: number;
  readonly den: number;
}

/** Half-open: `start` belongs to it, `end` does not. (R2) */
export interface Range<T extends number> {
  readonly start: T;
  readonly end: T;
}

/** Every mix and every export runs at this rate. (R15) */
export const SAMPLE_RATE = 48_000;

const MICROS_PER_SECOND = 1_000_000;

/** Brands a whole number as frames. A fraction is a bug of the caller, not of the user. */
export function frames(count: number): Frames {
  return whole(count, 'frames') as Frames;
}

/** Brands a whole number as samples. */
export function samples(count: number): Samples {
  return whole(count, 'samples') as Samples;
}

/** Brands a whole number as microseconds. */
export function micros(count: number): Micros {
  return whole(count, 'microseconds') as Micros;
}

/**
 * The exact rate of a decimal one: 23.976, 29.97, 59.94 (and 23.98, 47.952 …) are the 1001 fractions; anything else is
 * rounded to the thousandth.
 */
export function frameRate(perSecond: number): FrameRate {
  const nominal = Math.ceil(perSecond);
  if (nominal !== perSecond && Math.abs(perSecond - (nominal * 1000) / 1001) < 0.005) {
    return reduced(nominal * 1000, 1001);
  }
  return reduced(Math.round(perSecond * 1000), 1000);
}

/** The whole microsecond nearest to `at`. */
export function microsAt(at: Seconds): Micros {
  return Math.floor(at * MICROS_PER_SECOND + 0.5) as Micros;
}

/**
 * The output frame nearest to `at`; ties go to the later frame.
 *
 * Rounds positions, never lengths: clips that touch in seconds touch in frames, so errors cannot add up along the
 * track. Works in integer microseconds because 1/60 s has no exact float. (R2)
 */
export function frameAt(at: Seconds, rate: FrameRate): Frames {
  return nearest(microsAt(at), rate.num, MICROS_PER_SECOND * rate.den) as Frames;
}

/**
 * The output frame on screen at `at`: the last one that has begun. (R2, C39)
 *
 * A frame's own start, written to the microsecond, shows that frame: the half microsecond of rounding is not the
 * caller's.
 */
export function frameShownAt(at: Seconds, rate: FrameRate): Frames {
  return floored(2 * microsAt(at) + 1, rate.num, 2 * MICROS_PER_SECOND * rate.den) as Frames;
}

/** The output sample nearest to `at`; ties go to the later one. (R2, R15) */
export function sampleAt(at: Seconds): Samples {
  return nearest(microsAt(at), SAMPLE_RATE, MICROS_PER_SECOND) as Samples;
}

/** The output sample nearest to a place in source time, counted from source time 0. */
export function sampleAtMicros(at: Micros): Samples {
  return nearest(at, SAMPLE_RATE, MICROS_PER_SECOND) as Samples;
}

/** How many output samples a length of source time fills at `millionths` of its speed. */
export function samplesFilled(length: Micros, millionths: number): Samples {
  return nearest(length, SAMPLE_RATE, millionths) as Samples;
}

/** The sample at which a frame begins. */
export function sampleAtFrame(frame: Frames, rate: FrameRate): Samples {
  return nearest(frame, SAMPLE_RATE * rate.den, rate.num) as Samples;
}

/** How long `count` frames last, for display and for container fields. Never feed it back into a plan. */
export function secondsOf(count: Frames, rate: FrameRate): Seconds {
  return (count * rate.den) / rate.num;
}

/** A measured time, with fractions of a microsecond, as seconds to the microsecond. */
export function secondsOfMicros(time: number): Seconds {
  return Math.round(time) / MICROS_PER_SECOND;
}

/**
 * The frames an entry covers: both ends are positions and rounded as such, and an entry too short for a frame still
 * gets one. (R2, R3)
 */
export function frameRange(start: Seconds, end: Seconds, rate: FrameRate): Range<Frames> {
  const first = frameAt(start, rate);
  return { start: first, end: Math.max(frameAt(end, rate), first + 1) as Frames };
}

/** The samples a sound-only entry covers; at least one. */
export function sampleRange(start: Seconds, end: Seconds): Range<Samples> {
  const first = sampleAt(start);
  return { start: first, end: Math.max(sampleAt(end), first + 1) as Samples };
}

/** A playing speed as an exact count of millionths, so that source times stay integers. */
export function speedMillionths(speed: number): number {
  return Math.round(speed * 1_000_000);
}

/** The number of frames after which `length` has passed. */
export function framesToPass(length: Seconds, rate: FrameRate): Frames {
  const den = MICROS_PER_SECOND * rate.den;
  return floored(microsAt(length) * rate.num + den - 1, 1, den) as Frames;
}

/**
 * How far a source has played after `elapsed` output frames, rounded down to the microsecond: elapsed × speed. (R5)
 *
 * BigInt, since frames × 1001 × speed passes 2⁵³ within an hour.
 */
export function sourceElapsed(elapsed: Frames, rate: FrameRate, millionths: number): Micros {
  return Number((BigInt(elapsed) * BigInt(rate.den) * BigInt(millionths)) / BigInt(rate.num)) as Micros;
}

/** A source frame that begins this close before the middle of an output frame waits for the next one, which is near enough. */
const TIE_MICROS = 1_000;

/**
 * How far a source has come in the middle of an output frame, which decides the source frame it shows. (R5)
 *
 * It stops short of the middle by a millisecond, or an eighth of the way there: where a source has two frames for one, every second frame begins in the
 * very middle, and containers that round timestamps would let it in now and then.
 */
export function sourceMiddle(elapsed: Frames, rate: FrameRate, millionths: number): Micros {
  const [step, halves] = [BigInt(rate.den) * BigInt(millionths), 2n * BigInt(rate.num)];
  const half = Number(step / halves);
  const whole = (2n * BigInt(elapsed) + 1n) * step;
  // BigInt rounds towards 0; before its in-point a clip has not begun yet.
  const middle = Number((whole < 0n ? whole - halves + 1n : whole) / halves);
  return (middle - Math.min(TIE_MICROS, half >> 3)) as Micros;
}

/** Whether two ranges have something in common. */
export function overlaps<T extends number>(a: Range<T>, b: Range<T>): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The rational nearest whole number of value × num / den, ties up. Exact while value × num stays below 2⁵². */
function nearest(value: number, num: number, den: number): number {
  const scaled = value * num * 2 + den;
  if (Number.isSafeInteger(scaled)) return Math.floor(scaled / (2 * den));
  return Number((BigInt(value) * BigInt(num) * 2n + BigInt(den)) / (2n * BigInt(den)));
}

/** The whole number at or below value × num / den, for values from 0 up. */
function floored(value: number, num: number, den: number): number {
  const scaled = value * num;
  return Number.isSafeInteger(scaled) ? Math.floor(scaled / den) : Number((BigInt(value) * BigInt(num)) / BigInt(den));
}

function reduced(num: number, den: number): FrameRate {
  let a = num;
  let b = den;
  while (b !== 0) [a, b] = [b, a % b];
  return { num: num / a, den: den / a };
}

function whole(count: number, what: string): number {
  if (!Number.isSafeInteger(count)) throw new Error(`${what} must be a whole number, not ${count}`);
  return count;
}
