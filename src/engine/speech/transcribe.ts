import type { SpeechEngine } from '../../speech/captions/speech-engine.ts';
import { type Transcript, transcriptOf } from '../../speech/captions/transcript.ts';
import type { Range, Seconds } from '../../time.ts';
import { speechSound } from './speech-sound.ts';
import type { SpeechSource } from './speech-source.ts';
import { voiceLikelihood } from './voice-likelihood.ts';

/** Finding speech takes this share of the time, writing it down the rest. */
const LISTENING_SHARE = 0.1;

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
  const listened = { duration, voice, soundOf: (chunk: Range<Seconds>) => joined(speechSound(again, chunk)) };
  // Awaited here: the readers close when this function ends.
  return await transcriptOf(listened, engine, signal, (share) =>
    onProgress(LISTENING_SHARE + (1 - LISTENING_SHARE) * share),
  );
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
