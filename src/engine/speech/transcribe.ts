import {
  type CaptionSegment,
  type CaptionWord,
  captionSegments,
  cleanWord,
} from '../../speech/captions/caption-words.ts';
import { listeningChunks, snapWords } from '../../speech/captions/listening-parts.ts';
import { quietSpans, speechSpans } from '../../speech/find-pauses.ts';
import type { Seconds } from '../../time.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { speechSound } from './speech-sound.ts';
import type { SpeechSource } from './speech-source.ts';
import { VOICE_STEP, voiceLikelihood } from './voice-likelihood.ts';

/** Finding speech takes this share of the time, writing it down the rest. */
const LISTENING_SHARE = 0.1;

/** The text of a recording with the time of each word. */
export interface Transcript {
  readonly duration: Seconds;
  readonly segments: readonly CaptionSegment[];
  /** How long a voice is heard, whether or not the model writes words of it. Absent: unknown. */
  readonly voice?: Seconds | undefined;
}

/**
 * Transcribes speech.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 * @throws the errors of opening and reading the source.
 */
export async function transcribe(
  source: SpeechSource,
  engine: SpeechEngine,
  signal: AbortSignal,
  onProgress: (share: number) => void = () => {},
): Promise<Transcript> {
  const { duration } = source;
  // Readers go forward only, and the sound is needed twice.
  await using reader = await source.open();
  await using again = await source.open();
  const voice = await voiceLikelihood(reader, duration, signal, (share) => onProgress(share * LISTENING_SHARE));
  const spans = speechSpans(voice.likely, VOICE_STEP);
  const chunks = listeningChunks(spans, duration);
  const words: CaptionWord[] = [];
  for (const chunk of chunks) {
    for (const word of await engine.words(await joined(speechSound(again, chunk)), signal)) {
      const text = cleanWord(word.text);
      words.push({ ...word, text, start: chunk.start + word.start, end: chunk.start + word.end });
    }
    onProgress(LISTENING_SHARE + (1 - LISTENING_SHARE) * (chunk.end / duration));
  }
  return {
    duration,
    segments: captionSegments(snapWords(words, quietSpans(voice, VOICE_STEP))),
    voice: spans.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}

async function joined(sound: AsyncIterable<Float32Array>): Promise<Float32Array> {
  const blocks: Float32Array[] = [];
  for await (const block of sound) blocks.push(block);
  const all = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all;
}
