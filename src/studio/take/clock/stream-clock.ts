/** A linear map from stream time to page time, both in milliseconds. */
export interface Line {
  readonly rate: number;
  readonly offset: number;
}

/** A larger measured drift is a measurement error. */
const MOST_DRIFT = 300e-6;
/** Over a shorter time, jitter outweighs drift. */
const SPAN_FOR_RATE_MS = 20_000;
/** A second whose samples all arrive later than this is a stall or a loss. */
const MOST_LATE_MS = 40;
/** A stall ends. After this many late seconds in a row, samples were lost. */
const LATE_SECONDS = 3;

interface Arrival {
  readonly stamp: number;
  readonly page: number;
}

/**
 * Relates a stream's clock to the page's. A sample cannot arrive before it was captured, so the earliest arrival of each second counts.
 * The line is below all of these, as close as possible: along the edge of their lower hull that spans their middle.
 */
export class StreamClock {
  /** The lower hull of the earliest arrivals, in time order. */
  #hull: Arrival[] = [];
  #seconds = 0;
  #stampSum = 0;
  #earliest: Arrival | null = null;
  #second = -1;
  #late: number[] = [];
  #line: Line = { rate: 1, offset: Number.POSITIVE_INFINITY };

  get line(): Line {
    return this.#line;
  }

  toPage(stamp: number): number {
    return this.#line.offset + this.#line.rate * stamp;
  }

  fromPage(page: number): number {
    return (page - this.#line.offset) / this.#line.rate;
  }

  /**
   * Adds a sample. Stamps never decrease.
   *
   * @returns the milliseconds of the stream that were lost before it, mostly 0. The caller adds them to its later stamps.
   */
  add(stamp: number, page: number): number {
    const arrival = { stamp, page };
    // There is no hull before the end of the first second: use the earliest arrival.
    if (this.#hull.length === 0) this.#line = { rate: 1, offset: Math.min(this.#line.offset, page - stamp) };
    const second = Math.floor(stamp / 1000);
    const lost = second === this.#second ? 0 : this.#endSecond();
    this.#second = second;
    if (this.#earliest === null || page - stamp < this.#earliest.page - this.#earliest.stamp) this.#earliest = arrival;
    return lost;
  }

  #endSecond(): number {
    const earliest = this.#earliest;
    this.#earliest = null;
    if (earliest === null) return 0;
    const late = earliest.page - this.toPage(earliest.stamp);
    if (this.#seconds >= 2 && late > MOST_LATE_MS) {
      this.#late.push(late);
      if (this.#late.length < LATE_SECONDS) return 0;
      const lost = Math.min(...this.#late);
      this.#late = [];
      return lost;
    }
    this.#late = [];
    this.#take(earliest);
    return 0;
  }

  #take(arrival: Arrival): void {
    const hull = this.#hull;
    while (hull.length >= 2 && slope(hull.at(-2)!, arrival) <= slope(hull.at(-2)!, hull.at(-1)!)) hull.pop();
    hull.push(arrival);
    this.#seconds += 1;
    this.#stampSum += arrival.stamp;
    const rate = this.#rate();
    this.#line = { rate, offset: Math.min(...hull.map(({ stamp, page }) => page - rate * stamp)) };
  }

  #rate(): number {
    const hull = this.#hull;
    if (hull.at(-1)!.stamp - hull[0]!.stamp < SPAN_FOR_RATE_MS) return 1;
    const middle = this.#stampSum / this.#seconds;
    const right = Math.max(
      1,
      hull.findIndex(({ stamp }) => stamp >= middle),
    );
    return Math.min(1 + MOST_DRIFT, Math.max(1 - MOST_DRIFT, slope(hull[right - 1]!, hull[right]!)));
  }
}

function slope(a: Arrival, b: Arrival): number {
  return (b.page - a.page) / (b.stamp - a.stamp);
}
