import { availableParallelism } from 'node:os';
import type { Seconds } from '../../time.ts';

/**
 * The limits of one child before it is ended. The parent watches all of them; the kernel also bounds memory and files.
 */
export interface ChildLimits {
  /** Resident memory. */
  readonly rssBytes: number;
  /** How long a request may go on without getting any further: time that passed, and processor time that the child got. */
  readonly stallMs: number;
  /** How long the child may be at work in all, likewise; waiting between requests does not count. */
  readonly budgetMs: number;
  /** How long a request may make no progress for any reason, such as a disk that does not respond. */
  readonly blockedMs: number;
  /** The longest file it may write. */
  readonly fileBytes: number;
  /** All that it has on the disk at a time. */
  readonly workBytes: number;
  readonly threads: number;
}

/** The inputs of the limits; configuration. */
export interface ChildAllowance {
  readonly rssBytes: number;
  readonly stallSeconds: Seconds;
  /** The time budget is this much, and `secondsPerSecond` for every second of video. */
  readonly baseSeconds: Seconds;
  readonly secondsPerSecond: number;
}

/** The default limits. */
export const DEFAULT_CHILD_ALLOWANCE: ChildAllowance = {
  rssBytes: 3 * 2 ** 30,
  stallSeconds: 60,
  baseSeconds: 30,
  secondsPerSecond: 40,
};

const BLOCKED_MS = 15 * 60_000;

/** Four hours of 4K at a rate no setting reaches. */
const LONGEST_FILE_BYTES = 64 * 2 ** 30;

/** 800 Mbit/s, which not even noise in 4K reaches; the base is for pictures, sound and unfinished files. */
const WORK_BASE_BYTES = 2 ** 30;
const WORK_BYTES_PER_SECOND = 100_000_000;
const MAX_WORK_BYTES = 4 * LONGEST_FILE_BYTES;

/** Two dozen are usual on two cores; each decoder, encoder and filter takes some for each core. */
const THREADS = 256 + 128 * availableParallelism();

/** The limits of a child that works on an export of this length. */
export function childLimits(duration: Seconds, allowance: ChildAllowance = DEFAULT_CHILD_ALLOWANCE): ChildLimits {
  return {
    rssBytes: allowance.rssBytes,
    stallMs: allowance.stallSeconds * 1000,
    budgetMs: (allowance.baseSeconds + allowance.secondsPerSecond * duration) * 1000,
    blockedMs: BLOCKED_MS,
    fileBytes: LONGEST_FILE_BYTES,
    workBytes: Math.min(MAX_WORK_BYTES, WORK_BASE_BYTES + WORK_BYTES_PER_SECOND * duration),
    threads: THREADS,
  };
}
