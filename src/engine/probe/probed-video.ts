import { avGetCodecName } from 'node-av/lib';
import { ExportError } from '../../errors.ts';
import { type FrameRate, frameRate, type Micros, type Seconds, secondsOfMicros } from '../../time.ts';
import type { InputFile } from '../input/input-file.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import type { PictureFacts } from '../picture/picture-facts.ts';
import type { StreamScan } from './scan-packets.ts';

/** What is known of a file's picture. */
export interface ProbedVideo {
  readonly codec: string;
  readonly picture: PictureFacts;
  /** The mean rate; null for stills. */
  readonly rate: FrameRate | null;
  readonly variableRate: boolean;
  /** Null where the file is too long to count. */
  readonly frames: number | null;
  /** When it begins and ends in source time. */
  readonly start: Seconds;
  readonly end: Seconds;
}

/** Muxers that do not know how long the last frame lasts say nothing, or a tick. No camera is so fast. */
const NO_LENGTH_MICROS = 2_000;

/**
 * Puts together what the first frame and the packets tell. Times count from `origin`.
 *
 * @throws `media.rate_too_high`
 */
export function probedVideo(
  input: InputFile,
  picture: PictureFacts,
  { packets, complete, last, end, times }: StreamScan,
  origin: Micros,
  limits: MediaLimits,
): ProbedVideo {
  const rate = input.still ? null : meanRate(times);
  // Not the mean: thirty frames within a twentieth of a second are thirty frames to decode, not six hundred.
  const found = input.still ? 0 : busiestSecond(times);
  if (found > limits.maxFps) {
    throw new ExportError(
      'invalid',
      'media.rate_too_high',
      `The video has ${found} frames within a second; at most ${limits.maxFps} are allowed.`,
    );
  }
  const start = times.length === 0 ? 0 : Math.max(0, times[0]! - origin);
  // Where the last packet does not say how long it is shown, as long as the others on average.
  const told = end === null || last === null ? 0 : end - last;
  const lasts = told < NO_LENGTH_MICROS && rate !== null ? Math.max(told, (rate.den * 1e6) / rate.num) : told;
  return {
    codec: avGetCodecName(input.video!.codecpar.codecId) ?? 'unknown',
    picture,
    rate,
    variableRate: !input.still && isVariable(times, picture),
    frames: input.still ? 1 : complete ? packets : null,
    start: secondsOfMicros(start),
    end: input.still ? 0 : secondsOfMicros(last === null ? start : last - origin + lasts),
  };
}

/** Frames over the time from the first to the last. */
function meanRate(times: readonly number[]): FrameRate | null {
  const span = times.length < 2 ? 0 : times.at(-1)! - times[0]!;
  if (span <= 0) return null;
  const perSecond = ((times.length - 1) * 1e6) / span;
  // Rounded timestamps put the mean of a short clip slightly off; nobody films at 29.998.
  const nominal = [perSecond, Math.round(perSecond), (Math.round(perSecond) * 1000) / 1001];
  const near = nominal.find((rate) => rate > 0 && rate !== perSecond && Math.abs(rate / perSecond - 1) < 5e-4);
  return frameRate(near ?? perSecond);
}

/** The most frames that any second of the file shows, and so the most that have to be decoded for one. */
function busiestSecond(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, end = 0; first < times.length; first++) {
    while (end < times.length && times[end]! < times[first]! + 1e6) end++;
    most = Math.max(most, end - first);
  }
  return most;
}

/** Whether gaps between frames differ by more than the container's rounding explains. */
function isVariable(times: readonly number[], { timeBase }: PictureFacts): boolean {
  const gaps = times.slice(1).map((time, n) => time - times[n]!);
  if (gaps.length < 2) return false;
  const rounding = Math.max(2_000, (2 * timeBase.num * 1e6) / timeBase.den);
  const shortest = gaps.reduce((least, gap) => Math.min(least, gap));
  const longest = gaps.reduce((most, gap) => Math.max(most, gap));
  return longest - shortest > rounding;
}
