/** A linear map from stream time to page time, both in milliseconds. */
export interface Line {
  readonly rate: number;
  readonly offset: number;
}

export interface StampedArrival {
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
export class ClockLine {
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
