import { ExportError } from '../../errors.ts';
import { VOICE_STEP } from '../../speech/captions/transcript.ts';
import { type FoundSpeech, speechSpans } from '../../speech/find-pauses.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { probe } from '../probe/probe-media.ts';
import { SoundReader } from '../sound/sound-reader.ts';
import { voiceLikelihood } from './voice-likelihood.ts';

/**
 * Analyses a whole file.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 * @throws `pauses.no_sound` if the file has no sound; the errors of opening a file.
 */
export async function findSpeech(
  file: string,
  limits: MediaLimits,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<FoundSpeech> {
  const { facts } = await probe(file, limits, signal);
  await using reader = facts.sound ? await SoundReader.open(file, limits, signal) : null;
  if (reader === null) throw new ExportError('invalid', 'pauses.no_sound', 'The file has no sound to find pauses in.');
  const { duration } = facts;
  const { likely } = await voiceLikelihood(reader, duration, signal, onProgress);
  const spans = speechSpans(likely, VOICE_STEP);
  return { duration, speech: spans.map(({ start, end }) => ({ start, end: Math.min(end, duration) })) };
}
