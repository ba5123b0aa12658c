import type { Range, Seconds } from '../../time.ts';
import { quietSpans, speechSpans, type Voice } from '../find-pauses.ts';
import { STEP_SAMPLES } from '../voice-model.ts';
import { type CaptionSegment, type CaptionWord, captionSegments, cleanWord } from './caption-words.ts';
import { listeningChunks, snapWords } from './listening-parts.ts';
import { SPEECH_RATE, type SpeechEngine } from './speech-engine.ts';

/** The length of one step of the voice model. */
export const VOICE_STEP: Seconds = STEP_SAMPLES / SPEECH_RATE;

/** The text of a recording with the time of each word. */
export interface Transcript {
  readonly duration: Seconds;
  readonly segments: readonly CaptionSegment[];
  /** How long a voice is heard, whether or not the model writes words of it. Absent: unknown. */
  readonly voice?: Seconds | undefined;
}

/** A recording in which the voice has been found. */
interface Listened {
  readonly duration: Seconds;
  readonly voice: Voice;
  /** Its sound, mono at `SPEECH_RATE`. It is asked for in order. */
  soundOf(chunk: Range<Seconds>): Promise<Float32Array>;
}

/** Writes down the speech of a recording. @param onProgress is called with the share done, from 0 to 1. */
export async function transcriptOf(
  { duration, voice, soundOf }: Listened,
  engine: SpeechEngine,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Transcript> {
  const spans = speechSpans(voice.likely, VOICE_STEP);
  const words: CaptionWord[] = [];
  for (const chunk of listeningChunks(spans, duration)) {
    for (const word of await engine.words(await soundOf(chunk), signal)) {
      const text = cleanWord(word.text);
      words.push({ ...word, text, start: chunk.start + word.start, end: chunk.start + word.end });
    }
    onProgress(chunk.end / duration);
  }
  return {
    duration,
    segments: captionSegments(snapWords(words, quietSpans(voice, VOICE_STEP))),
    voice: spans.reduce((sum, { start, end }) => sum + end - start, 0),
  };
}
