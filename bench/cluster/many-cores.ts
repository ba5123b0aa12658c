import { chunkRanges } from '../../src/exports/run/output-work.ts';
import type { JobTimes } from './job-times.ts';

/** Cores that a worker needs, and how many of them it keeps busy (bench/notes/measurements.md). */
const CORES_EACH = 2;
const CORES_BUSY = 1.92;

/** How an export would run on this many cores. */
export interface Computed {
  readonly workers: number;
  readonly seconds: number;
  /** Of the cores, while the export runs. */
  readonly utilisation: number;
  /** The part of the time in which one worker has a job at most. */
  readonly serialShare: number;
  /** Of the cores, until the last chunk is done. */
  readonly whileChunks: number;
}

/**
 * Computes how an export of this many chunks runs on many cores: the jobs in their order, each to the first free
 * worker, with the measured durations, over and over. The sound takes longer in proportion.
 *
 * @param assembly the measured time of an assembly of that many chunks.
 */
export function computeRun(
  { chunks: [first, ...others], sound }: JobTimes,
  assembly: number,
  chunks: number,
  cores: number,
) {
  const start = Math.max(0, first! - median(others));
  const times = Array.from({ length: chunks }, (_, n) => others[n % others.length]!);
  const jobs = chunkRanges(new Map([['one', times.map(() => true)]]), true).map((range) =>
    times.slice(range.first, range.first + range.count).reduce((sum, time) => sum + time, 0),
  );
  const workers = Math.max(1, Math.floor(cores / CORES_EACH));
  const freeAt: number[] = Array(workers).fill(0);
  const [firstJob, ...rest] = jobs;
  const wholeSound = (sound * chunks) / (others.length + 1);
  for (const job of [firstJob!, wholeSound, ...rest]) {
    const next = freeAt.indexOf(Math.min(...freeAt));
    freeAt[next] = (freeAt[next] || start) + job;
  }
  const chunksEnd = Math.max(...freeAt);
  const seconds = chunksEnd + assembly;
  const busy = freeAt.reduce((sum, time) => sum + time, 0);
  const each = CORES_BUSY / cores;
  const alone = workers === 1 ? seconds : chunksEnd - freeAt.toSorted((a, b) => a - b).at(-2)! + assembly;
  return {
    workers,
    seconds,
    utilisation: (each * (busy + assembly)) / seconds,
    whileChunks: (each * busy) / chunksEnd,
    serialShare: alone / seconds,
  } satisfies Computed;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
