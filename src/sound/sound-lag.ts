/** How often a recording's own clock is compared with the count of its samples. */
const WINDOW_SECONDS = 2;

/** Timestamps this far from where the count puts a frame, and no more, are a coarse or an unsteady clock. */
export const JITTER_SECONDS = 0.015;
/** Frames whose mean gives the deviation of the count. */
const RECENT_FRAMES = 16;
/** Apart by no more than this, clock and count agree: less than any eye and ear notice. (R16) */
const AGREED_SECONDS = 0.002;
/** A clock this far ahead of its last value is not the same clock. */
const MAX_WINDOWS = 100;

/** The step on which a stream's frames begin, and a place on it; all in samples. */
export interface FrameGrid {
  readonly anchor: number;
  readonly step: number;
}

/** A window's length of places; the lag goes from one value to the other in a straight line. */
interface Slope {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/**
 * How much later than its count a sample is to be heard, if a recording's samples come faster or slower than its
 * timestamps: the count is off by a few in a million, the clock by a few milliseconds either way. (R21)
 *
 * The mean of clock − count is taken in each window of 2 s. The lag reaches it at the end of the next window but one,
 * linearly. So the lag at any place depends only on the two windows in front of it: reading from anywhere gives the
 * same result as reading from the start. (R4) If the mean is so near to the grid of frames that clock and count agree,
 * it is set to the grid: a recording that does not drift is not changed.
 */
export class SoundLag {
  readonly #window: number;
  readonly #jitter: number;
  readonly #agreed: number;
  readonly #grid: FrameGrid;
  #windowEnd = 0;
  #sum = 0;
  #frames = 0;
  #counted = 0;
  #recent: number[] = [];
  #now = 0;
  #slopes: Slope[] = [];

  constructor(rate: number, grid: FrameGrid) {
    this.#window = WINDOW_SECONDS * rate;
    this.#jitter = JITTER_SECONDS * rate;
    this.#agreed = AGREED_SECONDS * rate;
    this.#grid = grid;
  }

  /** Where reading has to begin so that the lag at `at` is known. */
  reachOf(at: number): number {
    return (Math.floor(at / this.#window) - 2) * this.#window;
  }

  /** Forgets everything, to go on from `reachOf(at)`. */
  restart(at: number): void {
    this.#windowEnd = this.reachOf(at) + this.#window;
    this.#forget();
    this.#slopes = [];
  }

  /** Starts a new clock, at the last time that was advanced to: earlier data does not count. */
  startOver(): void {
    this.#forget();
    this.#slopes = [{ start: this.#windowEnd - this.#window, from: 0, to: 0 }];
  }

  /** How far a frame that begins at `count` is from the position that the frames before it predict; 0 within the tolerance. */
  strayed(ptsSamples: number, count: number): number {
    if (this.#recent.length === 0) return 0;
    const usual = this.#recent.reduce((sum, each) => sum + each, 0) / this.#recent.length;
    const apart = ptsSamples - count - usual;
    return Math.abs(apart) > this.#jitter ? apart : 0;
  }

  /** Call it for every frame, before it is added: closes the windows that end before `ptsSamples`. */
  advance(ptsSamples: number): void {
    const windows = (ptsSamples - this.#windowEnd) / this.#window;
    if (windows > MAX_WINDOWS) {
      this.#closeWindow();
      this.#windowEnd += Math.floor(windows) * this.#window;
    }
    while (this.#windowEnd <= ptsSamples) this.#closeWindow();
  }

  /** Adds a frame that starts at sample `count` and has the timestamp `ptsSamples`. */
  add(ptsSamples: number, count: number): void {
    if (this.#recent.length === RECENT_FRAMES) this.#recent.shift();
    this.#recent.push(ptsSamples - count);
    if (ptsSamples < this.#windowEnd - this.#window) return;
    this.#sum += ptsSamples - count;
    this.#frames += 1;
    this.#counted = count;
  }

  /** The slope at `place`; null if too little is known yet. */
  slopeAt(place: number): Slope | null {
    while (this.#slopes.length > 0 && place >= this.#slopes[0]!.start + this.#window) this.#slopes.shift();
    const [first] = this.#slopes;
    if (first === undefined || place >= first.start) return first ?? null;
    return { start: first.start - this.#window, from: first.from, to: first.from };
  }

  /** The last slope stays level, since no more data will come. */
  get last(): Slope {
    return { start: Number.NEGATIVE_INFINITY, from: this.#now, to: this.#now };
  }

  at(place: number): number {
    const slope = this.#slopes.find(({ start }) => place >= start && place < start + this.#window);
    return slope === undefined ? this.#now : this.on(slope, place);
  }

  on({ start, from, to }: Slope, place: number): number {
    return from === to ? from : from + ((to - from) * (place - start)) / this.#window;
  }

  endOf({ start }: Slope): number {
    return start === Number.NEGATIVE_INFINITY ? Number.POSITIVE_INFINITY : start + this.#window;
  }

  #closeWindow(): void {
    const before = this.#now;
    if (this.#frames > 0) this.#now = this.#settled(this.#counted + this.#sum / this.#frames) - this.#counted;
    this.#slopes.push({ start: this.#windowEnd, from: before, to: this.#now });
    this.#clear();
    this.#windowEnd += this.#window;
  }

  #forget(): void {
    this.#clear();
    this.#recent = [];
    this.#now = 0;
  }

  #clear(): void {
    this.#sum = 0;
    this.#frames = 0;
  }

  /** A place to the sample; on the grid where it is as good as on it, and nearing it smoothly elsewhere. */
  #settled(place: number): number {
    const { anchor, step } = this.#grid;
    // Sums in another order differ in their last bits, which must not decide anything.
    const exact = Math.round(place * 1024) / 1024;
    const nearest = anchor + Math.round((exact - anchor) / step) * step;
    const apart = exact - nearest;
    const agreed = Math.min(this.#agreed, 0.4 * step);
    const far = Math.min(2 * agreed, step / 2);
    const kept =
      Math.abs(apart) >= far ? Math.abs(apart) : (far * Math.max(0, Math.abs(apart) - agreed)) / (far - agreed);
    return Math.round(nearest + Math.sign(apart) * kept);
  }
}
