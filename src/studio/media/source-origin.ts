import type { Input } from 'mediabunny';

/** Sound that starts less than this before the picture is encoder priming, as in the engine (`presentation-start.ts`). */
const MAX_PRIMING_SECONDS = 0.1;

/** Source time 0 on the file's own clock, in seconds, by the engine's rule, so that both count from the same moment. */
export async function sourceOrigin(input: Input): Promise<number> {
  const picture = (await (await input.getPrimaryVideoTrack())?.getFirstTimestamp()) ?? null;
  const sound = (await (await input.getPrimaryAudioTrack())?.getFirstTimestamp()) ?? null;
  if (picture === null || sound === null) return picture ?? sound ?? 0;
  return picture - sound < MAX_PRIMING_SECONDS ? picture : sound;
}
