import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { type Micros, micros } from '../../time.ts';
import type { InputFile } from './input-file.ts';

/**
 * Sound this little ahead of the picture is an encoder's priming that the container failed to hide. Were time counted
 * from it, every frame of the picture would fall between two output frames and be shown early or late. (R16)
 */
const MAX_PRIMING_MICROS = 100_000;

/**
 * The start of a file's presentation on the file's own clock. Source time 0 is this moment, for picture and sound.
 *
 * It is the first moment of its picture or, if sound begins a tenth of a second or more before that, the first of its
 * sound; both as libavformat gives them: edit lists applied, the priming of the sound skipped. Picture and sound stay
 * in sync: a picture that starts later holds its first frame until then, sound that starts later is silent until then,
 * and sound before source time 0 is not heard. Timestamps that begin at ten seconds, or at the 1.4 s of a transport
 * stream, thus begin at 0, as in players. A file whose streams have no start (stills, raw PCM) begins at 0.
 */
export function presentationStart(input: InputFile): Micros {
  const picture = input.shown && streamStart(input.shown);
  const sound = input.audio && streamStart(input.audio);
  if (picture === null || sound === null) return picture ?? sound ?? micros(0);
  return picture - sound < MAX_PRIMING_MICROS ? picture : sound;
}

/**
 * The time of a stream's first frame on the file's clock, or null if the file has none. Rounded up, so that no frame
 * seems later than it is.
 */
export function streamStart(stream: Stream): Micros | null {
  if (stream.startTime === AV_NOPTS_VALUE) return null;
  const den = BigInt(stream.timeBase.den);
  const scaled = stream.startTime * BigInt(stream.timeBase.num) * 1_000_000n;
  const truncated = scaled / den;
  return micros(Number(scaled > truncated * den ? truncated + 1n : truncated));
}
