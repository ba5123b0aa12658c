import { avGetCodecName } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import type { FrameRate, Micros, Seconds } from '../../time.ts';
import type { InputFile } from '../input/input-file.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { StreamScan } from '../input/scan-packets.ts';
import { meanRate, pictureSpan } from '../input/stream-spans.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';

/** The facts of a file's picture. */
export interface ProbedVideo {
  readonly codec: string;
  readonly picture: PictureFacts;
  /** The mean rate; null for stills. */
  readonly rate: FrameRate | null;
  readonly variableRate: boolean;
  /** Null if the file is too long to count. */
  readonly frames: number | null;
  /** When it begins and ends in source time. */
  readonly start: Seconds;
  readonly end: Seconds;
}

/**
 * Combines the facts of the first frame and of the packets. Times count from `origin`.
 *
 * @throws `media.rate_too_high`
 */
export function probedVideo(
  input: InputFile,
  picture: PictureFacts,
  scan: StreamScan,
  origin: Micros,
  limits: MediaLimits,
): ProbedVideo {
  const { packets, complete, times } = scan;
  // Not the mean: thirty frames within a twentieth of a second are thirty frames to decode, not six hundred.
  const found = input.still ? 0 : busiestSecond(times);
  if (found > limits.maxFps) {
    throw new ExportError(
      'invalid',
      'media.rate_too_high',
      `The video has ${found} frames within a second; at most ${limits.maxFps} are allowed.`,
    );
  }
  return {
    codec: avGetCodecName(input.video!.codecpar.codecId) ?? 'unknown',
    picture,
    rate: input.still ? null : meanRate(times),
    variableRate: !input.still && isVariable(times, picture),
    frames: input.still ? 1 : complete ? packets : null,
    ...(input.still ? { start: 0, end: 0 } : pictureSpan(input, scan, origin)),
  };
}

/** The most frames that any second of the file shows, and so the most that have to be decoded for one. */
function busiestSecond(times: readonly number[]): number {
  let max = 0;
  for (let first = 0, end = 0; first < times.length; first++) {
    while (end < times.length && times[end]! < times[first]! + 1e6) end++;
    max = Math.max(max, end - first);
  }
  return max;
}

/** Whether gaps between frames differ by more than the container's rounding explains. */
function isVariable(times: readonly number[], { timeBase }: PictureFacts): boolean {
  const gaps = times.slice(1).map((time, n) => time - times[n]!);
  if (gaps.length < 2) return false;
  const rounding = Math.max(2_000, (2 * timeBase.num * 1e6) / timeBase.den);
  const shortest = gaps.reduce((min, gap) => Math.min(min, gap));
  const longest = gaps.reduce((max, gap) => Math.max(max, gap));
  return longest - shortest > rounding;
}
