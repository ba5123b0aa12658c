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
class StreamClock {
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

/** Stamps further than this from their arrival have another origin. */
const OTHER_ORIGIN_MS = 10_000;

/** When pictures were captured, on the page's clock. It starts again when the stamps of the device do. */
export class PictureClock {
  #clock = new StreamClock();
  #lastStamp: number | null = null;

  /** Adds a picture that arrived at page time `now`. @returns when it was captured. */
  captured(stamp: number, now: number): number {
    const isElsewhere = Math.abs(now - this.#clock.toPage(stamp)) > OTHER_ORIGIN_MS;
    if (this.#lastStamp !== null && (stamp <= this.#lastStamp || isElsewhere)) this.#clock = new StreamClock();
    this.#lastStamp = stamp;
    this.#clock.add(stamp, now);
    return this.#clock.toPage(stamp);
  }
}

/** A linear map from stream time to page time, both in milliseconds. */
export interface Line {
  readonly rate: number;
  readonly offset: number;
}

interface StampedArrival {
  /** The end of the sample, in stream time. */
  readonly stamp: number;
  readonly page: number;
}

/** A larger measured drift is a measurement error. */
const MAX_DRIFT = 300e-6;
/** Over a shorter time, jitter outweighs drift. */
const SPAN_FOR_RATE_MS = 20_000;
/** With fewer arrivals, a late one may be normal. */
const SETTLED_ARRIVALS = 5;

/**
 * Fits a line to arrivals. A sample cannot arrive before it was captured, so the line is below all arrivals, as close as possible: along
 * the edge of their lower hull that spans their middle.
 */
class ClockLine {
  /** The lower hull of the arrivals, in time order. */
  #hull: StampedArrival[] = [];
  #arrivals = 0;
  #stampSum = 0;
  #line: Line = { rate: 1, offset: Number.POSITIVE_INFINITY };

  get line(): Line {
    return this.#line;
  }

  get isSettled(): boolean {
    return this.#arrivals >= SETTLED_ARRIVALS;
  }

  toPage(stamp: number): number {
    return this.#line.offset + this.#line.rate * stamp;
  }

  fromPage(page: number): number {
    return (page - this.#line.offset) / this.#line.rate;
  }

  lateness({ stamp, page }: StampedArrival): number {
    return page - this.toPage(stamp);
  }

  /** A first estimate, until an arrival is taken. */
  guess({ stamp, page }: StampedArrival): void {
    if (this.#arrivals === 0) this.#line = { rate: 1, offset: Math.min(this.#line.offset, page - stamp) };
  }

  take(arrival: StampedArrival): void {
    const hull = this.#hull;
    while (hull.length >= 2 && slope(hull.at(-2)!, arrival) <= slope(hull.at(-2)!, hull.at(-1)!)) hull.pop();
    hull.push(arrival);
    this.#arrivals += 1;
    this.#stampSum += arrival.stamp;
    const rate = this.#rate();
    this.#line = { rate, offset: Math.min(...hull.map(({ stamp, page }) => page - rate * stamp)) };
  }

  #rate(): number {
    const hull = this.#hull;
    if (hull.at(-1)!.stamp - hull[0]!.stamp < SPAN_FOR_RATE_MS) return 1;
    const middle = this.#stampSum / this.#arrivals;
    const right = Math.max(
      1,
      hull.findIndex(({ stamp }) => stamp >= middle),
    );
    return Math.min(1 + MAX_DRIFT, Math.max(1 - MAX_DRIFT, slope(hull[right - 1]!, hull[right]!)));
  }
}

function slope(a: StampedArrival, b: StampedArrival): number {
  return (b.page - a.page) / (b.stamp - a.stamp);
}
