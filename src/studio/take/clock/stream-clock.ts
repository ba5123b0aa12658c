import { ClockLine, type Line, type StampedArrival } from './clock-line.ts';

/** Shorter than a stall that matters, and long enough for an arrival without delay. */
const WINDOW_MS = 300;
/** A window whose samples all arrive later than this is a stall or a loss. */
const MAX_LATE_MS = 20;
/** A stream that is early by more than this has more samples than were captured. */
const MAX_EARLY_MS = 10;
/** A stall ends. After this many late windows in a row, samples were lost. */
const LATE_WINDOWS = 3;
/** Lateness that decreases faster than this in these windows is a stall that ends. */
const CATCH_UP_MS = 10;
/** The most samples to remove at once. */
const MAX_REMOVED_MS = 1000;

/**
 * How long after its arrival a sample can be found to follow a gap: the window in which samples were lost, the late windows, and a buffer.
 */
export const GAP_FOUND_MS = WINDOW_MS * (LATE_WINDOWS + 1) + 100;

/** The earliest arrival of each window of page time. A stall has no arrivals, and so no window. */
class Windows {
  #window = -1;
  #earliest: StampedArrival | null = null;

  /** @returns the earliest arrival of the window that ends before this time; null if none ends. */
  endBefore(page: number): StampedArrival | null {
    const window = Math.floor(page / WINDOW_MS);
    if (window === this.#window) return null;
    this.#window = window;
    const earliest = this.#earliest;
    this.#earliest = null;
    return earliest;
  }

  add(arrival: StampedArrival): void {
    const { stamp, page } = arrival;
    if (this.#earliest === null || page - stamp < this.#earliest.page - this.#earliest.stamp) this.#earliest = arrival;
  }
}

/** Relates the clock of a stream to the page's. Its samples carry their own time. */
export class StreamClock {
  readonly #fit = new ClockLine();
  readonly #windows = new Windows();

  toPage(stamp: number): number {
    return this.#fit.toPage(stamp);
  }

  /** Adds a sample. Stamps never decrease. */
  add(stamp: number, page: number): void {
    const earliest = this.#windows.endBefore(page);
    if (earliest !== null && !(this.#fit.isSettled && this.#fit.lateness(earliest) > MAX_LATE_MS)) {
      this.#fit.take(earliest);
    }
    this.#fit.guess({ stamp, page });
    this.#windows.add({ stamp, page });
  }
}

/** Samples that are missing after a stamp, in milliseconds. A negative length: so many of the samples that follow are to be removed. */
interface Gap {
  readonly after: number;
  readonly ms: number;
}

/**
 * Relates a count of samples to the page's clock. Samples that a device or the browser loses are not counted, so everything after them is
 * late. Then the counter adds their length to later stamps.
 */
export class SampleClock {
  readonly #fit = new ClockLine();
  readonly #windows = new Windows();
  #late: number[] = [];
  #lastOnTime = 0;
  /** What was added so far. If it was a long stall, the samples arrive after all, and it is removed. */
  #addedMs = 0;

  get line(): Line {
    return this.#fit.line;
  }

  toPage(stamp: number): number {
    return this.#fit.toPage(stamp);
  }

  fromPage(page: number): number {
    return this.#fit.fromPage(page);
  }

  /** Adds a buffer that ends at a stamp. @returns the gap that it reveals. The caller moves this stamp and all later ones. */
  add(stamp: number, page: number): Gap | null {
    const earliest = this.#windows.endBefore(page);
    const gap = earliest && this.#judge(earliest);
    const arrival = { stamp: stamp + (gap?.ms ?? 0), page };
    this.#fit.guess(arrival);
    this.#windows.add(arrival);
    if (this.#fit.lateness(arrival) <= MAX_LATE_MS) this.#lastOnTime = arrival.stamp;
    return gap;
  }

  #judge(earliest: StampedArrival): Gap | null {
    const late = this.#fit.lateness(earliest);
    if (this.#fit.isSettled && late > MAX_LATE_MS) return this.#judgeLate(late);
    this.#late = [];
    if (this.#addedMs > 0 && late < -MAX_EARLY_MS) {
      return this.#gap(0, -Math.min(-late, this.#addedMs, MAX_REMOVED_MS));
    }
    this.#fit.take(earliest);
    return null;
  }

  #judgeLate(late: number): Gap | null {
    this.#late.push(late);
    if (this.#late.length < LATE_WINDOWS) return null;
    const isCatchingUp = late < this.#late.shift()! - CATCH_UP_MS;
    if (isCatchingUp) return null;
    const lost = Math.min(late, ...this.#late);
    this.#late = [];
    return this.#gap(this.#lastOnTime, lost);
  }

  #gap(after: number, ms: number): Gap {
    this.#addedMs += ms;
    return { after, ms };
  }
}
