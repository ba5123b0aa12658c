import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { type Micros, micros } from '../time.ts';
import type { InputFile } from './open-input.ts';

/**
 * Where a file's presentation begins on the file's own clock; source time 0 is this moment, for picture and sound alike.
 *
 * It is the earlier of the first moment of its picture and the first of its sound, as libavformat gives them: edit lists
 * applied, encoder delay of the sound skipped. Of two streams that start apart the later one keeps its distance, so that
 * they stay in sync: until it starts, the picture shows its first frame and the sound is silent. Timestamps that begin
 * at ten seconds, or at the 1.4 s of a transport stream, thus begin at 0, as players rebase them.
 *
 * A file whose streams tell no start (stills, raw PCM) begins at 0.
 */
export function presentationStart(input: InputFile): Micros {
  const starts = [input.video, input.audio].filter((stream) => stream !== null).map(streamStart);
  const known = starts.filter((start) => start !== null);
  return known.length === 0 ? micros(0) : (Math.min(...known) as Micros);
}

/**
 * The moment a stream's first frame is due on the file's clock, or null where the file does not say. Rounded up, so that
 * counted from it no frame seems later than it is.
 */
export function streamStart(stream: Stream): Micros | null {
  if (stream.startTime === AV_NOPTS_VALUE) return null;
  const den = BigInt(stream.timeBase.den);
  const scaled = stream.startTime * BigInt(stream.timeBase.num) * 1_000_000n;
  const truncated = scaled / den;
  return micros(Number(scaled > truncated * den ? truncated + 1n : truncated));
}
