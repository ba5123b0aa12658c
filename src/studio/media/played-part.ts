import { type Input, MP3 } from 'mediabunny';
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
  const sound = (await (await input.getPrimaryAudioTrack())?.getFirstTimestamp()) ?? null;
  if (picture === null || sound === null) {
    const trim = picture === null && (await input.getFormat()) === MP3 ? await mp3Trim(file) : null;
    return { origin: trim?.start ?? picture ?? sound ?? 0, end: trim?.end ?? null };
  }
  return { origin: picture - sound < MAX_PRIMING_SECONDS ? picture : sound, end: null };
}
