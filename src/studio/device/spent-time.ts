/** What a video's time is spent on: reading clips, drawing, converting to Y'CbCr, waiting for the encoder, comparing. */
type Work = 'decode' | 'draw' | 'convert' | 'encode' | 'compare';

/** Milliseconds of each kind of work of a video, as a benchmark prints them. */
export class SpentTime {
  readonly ms: Record<Work, number> = { decode: 0, draw: 0, convert: 0, encode: 0, compare: 0 };

  /** Counts what a call takes. */
  of<T>(work: Work, call: () => T): T {
    const begun = performance.now();
    try {
      return call();
    } finally {
      this.ms[work] += performance.now() - begun;
    }
  }

  /** Counts what a call takes until its result is there. */
  async until<T>(work: Work, call: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await call();
    } finally {
      this.ms[work] += performance.now() - begun;
    }
  }
}
