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

/** When a moving picture is first and last seen, counted from `origin`. */
export function pictureSpan({ last, end, times }: StreamScan, origin: Micros): StreamSpan {
  const rate = meanRate(times);
  const start = times.length === 0 ? 0 : Math.max(0, times[0]! - origin);
  // If the last packet has no duration, the average of the others.
  const packetMicros = end === null || last === null ? 0 : end - last;
  const lasts =
    packetMicros < NO_LENGTH_MICROS && rate !== null
      ? Math.max(packetMicros, (rate.den * 1e6) / rate.num)
      : packetMicros;
  return { start: secondsOfMicros(start), end: secondsOfMicros(last === null ? start : last - origin + lasts) };
}

/** Frames over the time from the first to the last. */
export function meanRate(times: readonly number[]): FrameRate | null {
  const span = times.length < 2 ? 0 : times.at(-1)! - times[0]!;
  if (span <= 0) return null;
  const perSecond = ((times.length - 1) * 1e6) / span;
  // Rounded timestamps put the mean of a short clip slightly off; no camera has a rate of 29.998.
  const nominal = [perSecond, Math.round(perSecond), (Math.round(perSecond) * 1000) / 1001];
  const near = nominal.find((rate) => rate > 0 && rate !== perSecond && Math.abs(rate / perSecond - 1) < 5e-4);
  return frameRate(near ?? perSecond);
}

/** When a sound begins and ends, counted from `origin`. */
export function soundSpan({ container, audio }: InputFile, { end, complete }: StreamScan, origin: Micros): StreamSpan {
  const { timeBase, duration } = audio!;
  const start = (streamStart(audio!) ?? origin) - origin;
  const scannedEnd = Math.max(start, (end ?? origin) - origin);
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
