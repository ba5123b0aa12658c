import type { Stream } from 'node-av/lib';
import { type FrameRate, frameRate, type Micros, type Seconds, secondsOfMicros } from '../../time.ts';
import { type InputFile, WITHOUT_CLOCK } from './input-file.ts';
import type { MediaContainer } from './media-containers.ts';
import { streamStart } from './presentation-start.ts';
import type { StreamScan } from './scan-packets.ts';

/** When a stream begins and ends in source time. */
interface StreamSpan {
  readonly start: Seconds;
  readonly end: Seconds;
}

/** Muxers that do not know the duration of the last frame write 0, or a tick. No camera is that fast. */
const NO_LENGTH_MICROS = 2_000;

/**
 * A sound's header may know how much of the last packet is padding; it is believed when so close to the packets. Without a
 * clock in the container, its length is a guess from the bit rate.
 */
const HEADER_TRUST_MICROS = 100_000;
/** Streams without a header: libavformat takes the last timestamp that it finds for the end, and several frames may follow it. */
const WITHOUT_LENGTH: ReadonlySet<MediaContainer> = new Set(['mpegts', 'mpegps']);

/** A last packet that is this much longer than the headers say is a wrong entry, as some recorders write it. */
const WRONG_LENGTH_MICROS = 1_000_000;
/** How long a picture is shown if nothing says so. */
const UNKNOWN_LENGTH_MICROS = 40_000;

/** When a moving picture is first and last seen, counted from `origin`. */
export function pictureSpan(input: InputFile, { last, end, times }: StreamScan, origin: Micros): StreamSpan {
  const rate = meanRate(times);
  const start = times.length === 0 ? 0 : Math.max(0, times[0]! - origin);
  const mean = rate === null ? onlyPicture(input) : (rate.den * 1e6) / rate.num;
  const packetMicros = end === null || last === null ? 0 : end - last;
  const shown = last === null ? null : shownMicros(input, input.video!, last - origin);
  const isWrong = shown !== null && last !== null && last - origin + packetMicros > shown + WRONG_LENGTH_MICROS;
  if (isWrong) return { start: secondsOfMicros(start), end: secondsOfMicros(Math.max(shown, last - origin + mean)) };
  // If the last packet has no duration, the average of the others.
  const lasts = packetMicros < NO_LENGTH_MICROS ? Math.max(packetMicros, mean) : packetMicros;
  return { start: secondsOfMicros(start), end: secondsOfMicros(last === null ? start : last - origin + lasts) };
}

/** How long the headers say that a stream is shown; null if they say nothing, or less than the time of its last packet. */
function shownMicros(input: InputFile, stream: Stream, last: number): number | null {
  const seconds = input.shownLength(stream);
  const shown = seconds === null ? null : Math.round(seconds * 1e6);
  return shown !== null && shown >= last ? shown : null;
}

/** How long the only picture of a file is shown: as long as the file says, else for a frame at its rate. */
function onlyPicture({ format, video }: InputFile): number {
  if (format.duration > 0n) return Number(format.duration);
  const { num, den } = video!.avgFrameRate;
  return num > 0 && den > 0 ? (den * 1e6) / num : UNKNOWN_LENGTH_MICROS;
}

/** Frames over the time from the first to the last. */
export function meanRate(times: readonly number[]): FrameRate | null {
  const span = times.length < 2 ? 0 : times.at(-1)! - times[0]!;
  if (span <= 0) return null;
  const perSecond = ((times.length - 1) * 1e6) / span;
  // Rounded timestamps put the mean of a short clip slightly off; no camera has a rate of 29.998.
  const nominal = [perSecond, Math.round(perSecond), (Math.round(perSecond) * 1000) / 1001];
  const near = nominal.find((rate) => rate > 0 && rate !== perSecond && Math.abs(rate / perSecond - 1) < 5e-4);
  const rate = frameRate(near ?? perSecond);
  // A frame in an hour has no rate.
  return rate.num === 0 ? null : rate;
}

/** When a sound begins and ends, counted from `origin`. */
export function soundSpan(input: InputFile, { last, end, complete }: StreamScan, origin: Micros): StreamSpan {
  const { container, audio } = input;
  const { timeBase, duration } = audio!;
  const start = (streamStart(audio!) ?? origin) - origin;
  const shown = last === null ? null : shownMicros(input, audio!, last - origin);
  const told = Math.max(start, (end ?? origin) - origin);
  const scannedEnd = shown !== null && told > shown + WRONG_LENGTH_MICROS ? shown : told;
  const headerEnd = start + (Number(duration) * timeBase.num * 1e6) / timeBase.den;
  const trusted =
    duration > 0n &&
    !WITHOUT_LENGTH.has(container) &&
    !(complete && WITHOUT_CLOCK.has(container)) &&
    Math.abs(headerEnd - scannedEnd) < HEADER_TRUST_MICROS;
  return {
    start: secondsOfMicros(start),
    end: secondsOfMicros(trusted ? Math.min(headerEnd, scannedEnd) : scannedEnd),
  };
}
