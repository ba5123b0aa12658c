import type { Input } from 'mediabunny';

/** Sound this little ahead of the picture is an encoder's priming, as the engine sees it (`presentation-start.ts`). */
const MOST_PRIMING_SECONDS = 0.1;

/** Where source time 0 lies on a file's own clock, in seconds: by the engine's rule, so that both count from the same moment. */
export async function sourceOrigin(input: Input): Promise<number> {
  const picture = (await (await input.getPrimaryVideoTrack())?.getFirstTimestamp()) ?? null;
  const sound = (await (await input.getPrimaryAudioTrack())?.getFirstTimestamp()) ?? null;
  if (picture === null || sound === null) return picture ?? sound ?? 0;
  return picture - sound < MOST_PRIMING_SECONDS ? picture : sound;
}
