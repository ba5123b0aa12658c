/** What a player may need to allocate buffers for a track. Rates in bits a second. */
export interface BitRates {
  readonly average: number;
  /** Of the second with the most bits. */
  readonly highest: number;
  /** How much has to be buffered where bytes arrive at the highest rate, no sooner than they are needed. */
  readonly bufferBytes: number;
}

/** The rates of a track whose samples have equal durations. `sizes` in bytes. */
export function bitRates(sizes: readonly number[], samplesASecond: number): BitRates {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const window = Math.max(1, Math.min(sizes.length, Math.round(samplesASecond)));
  let [within, busiest] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    within += size - (sizes[index - window] ?? 0);
    busiest = Math.max(busiest, within);
  }
  const bitsPerByte = 8;
  const perSecond = (bytes: number, samples: number) =>
    samples === 0 ? 0 : Math.ceil((bytes * bitsPerByte * samplesASecond) / samples);
  return {
    average: perSecond(total, sizes.length),
    highest: perSecond(busiest, window),
    bufferBytes: bufferFor(sizes, busiest / window),
  };
}

/** The most by which the bytes needed so far exceed those that have arrived, at this many a sample. */
function bufferFor(sizes: readonly number[], bytesASample: number): number {
  let [waiting, max] = [0, 0];
  for (const size of sizes) {
    waiting += size;
    max = Math.max(max, waiting);
    waiting = Math.max(0, waiting - bytesASample);
  }
  return Math.ceil(max);
}
