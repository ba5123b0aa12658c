import { ExportError } from '../../errors.ts';
import { type CaptionSegment, type CaptionWord, captionSegments } from '../../speech/captions/caption-words.ts';
import { listeningChunks } from '../../speech/captions/listening-chunks.ts';
import { snapWords } from '../../speech/captions/snap-words.ts';
import { quietSpans, speechSpans } from '../../speech/find-pauses.ts';
import type { Seconds } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { probe } from '../probe/probe.ts';
import { SoundReader } from '../sound/sound-reader.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { speechSound } from './speech-sound.ts';
import { VOICE_STEP, voiceLikelihood } from './voice-likelihood.ts';

/** Finding speech takes this share of the time, writing it down the rest. */
const LISTENING_SHARE = 0.1;

/** The text of a recording with the time of each word. */
export interface Transcript {
  readonly duration: Seconds;
  readonly segments: readonly CaptionSegment[];
}

/**
 * Writes down what is said in a file.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 * @throws `captions.no_sound` where there is nothing to listen to; what opening a file throws.
 */
export async function transcribe(
  file: string,
  engine: SpeechEngine,
  limits: MediaLimits,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<Transcript> {
  const { facts } = await probe(file, limits, signal);
  // Readers go forward only, and the sound is needed twice.
  await using reader = facts.sound ? await SoundReader.open(file, limits, signal) : null;
  await using again = facts.sound ? await SoundReader.open(file, limits, signal) : null;
  if (reader === null || again === null) {
    throw new ExportError('invalid', 'captions.no_sound', 'The file has no sound to transcribe.');
  }
  const { duration } = facts;
  const likely = await voiceLikelihood(reader, duration, signal, (share) => onProgress(share * LISTENING_SHARE));
  const chunks = listeningChunks(speechSpans(likely, VOICE_STEP), duration);
  const words: CaptionWord[] = [];
  for (const chunk of chunks) {
    for (const word of await engine.words(joined([...speechSound(again, chunk)]), signal)) {
      words.push({ ...word, start: chunk.start + word.start, end: chunk.start + word.end });
    }
    onProgress(LISTENING_SHARE + (1 - LISTENING_SHARE) * (chunk.end / duration));
  }
  return { duration, segments: captionSegments(snapWords(words, quietSpans(likely, VOICE_STEP))) };
}

function joined(blocks: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}
