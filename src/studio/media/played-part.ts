import { type Input, MP3, MP4, QTFF } from 'mediabunny';
import { mp3Trim } from './mp3-trim.ts';

/** Sound that starts less than this before the picture is encoder priming, as in the engine (`presentation-start.ts`). */
const MAX_PRIMING_SECONDS = 0.1;

/** The part of a file that is played, in seconds of the file's own clock. */
export interface PlayedPart {
  /** Source time 0. */
  readonly origin: number;
  /** null: all that follows. */
  readonly end: number | null;
}

/** What is played of a file, by the engine's rules, so that both count from the same moment. */
export async function playedPart(input: Input, file: Blob): Promise<PlayedPart> {
  const picture = (await (await input.getPrimaryVideoTrack())?.getFirstTimestamp()) ?? null;
  const format = await input.getFormat();
  const begins = (await (await input.getPrimaryAudioTrack())?.getFirstTimestamp()) ?? null;
  // What an edit list hides is before time 0: the priming of the sound.
  const sound = begins !== null && (format === MP4 || format === QTFF) ? Math.max(0, begins) : begins;
  if (picture === null || sound === null) {
    const trim = picture === null && format === MP3 ? await mp3Trim(file) : null;
    return { origin: trim?.start ?? picture ?? sound ?? 0, end: trim?.end ?? null };
  }
  return { origin: picture - sound < MAX_PRIMING_SECONDS ? picture : sound, end: null };
}
