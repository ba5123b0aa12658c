import { setImmediate } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import { silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { type FoundSpeech, speechSpans } from '../../speech/find-pauses.ts';
import { STEP_SAMPLES, VoiceModel } from '../../speech/voice-model.ts';
import { SAMPLE_RATE } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { probe } from '../probe/probe.ts';
import { RateConverter } from '../sound/rate-converter.ts';
import { SoundReader } from '../sound/sound-reader.ts';

/** What the model listens to. */
const MODEL_RATE = 16_000;
/** Samples read at once: a second. */
const BLOCK = SAMPLE_RATE;

/**
 * Listens to a whole file.
 *
 * @param onProgress is called with the share done, from 0 to 1.
 * @throws `pauses.no_sound` where there is nothing to listen to; what opening a file throws.
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
  const end = Math.round(facts.duration * SAMPLE_RATE);
  const steps = new Steps();
  using converter = new RateConverter(SAMPLE_RATE, MODEL_RATE);
  const room = silentStereo(BLOCK);
  for (let at = 0; at < end; at += BLOCK) {
    signal.throwIfAborted();
    const block = stereoView(room, 0, Math.min(BLOCK, end - at));
    reader.read(at, block);
    steps.push(converter.convert(block));
    onProgress(at / end);
    await setImmediate();
  }
  steps.push(converter.flush());
  const spans = speechSpans(steps.likely(), STEP_SAMPLES / MODEL_RATE);
  const within = spans.map((span) => ({ start: span.start, end: Math.min(span.end, facts.duration) }));
  return { duration: facts.duration, speech: within };
}

/** Cuts sound into the steps of the model. */
class Steps {
  readonly #model = new VoiceModel();
  readonly #step = new Float32Array(STEP_SAMPLES);
  readonly #likely: number[] = [];
  #filled = 0;

  push({ left, right }: { readonly left: Float32Array; readonly right: Float32Array }): void {
    for (let n = 0; n < left.length; n++) {
      this.#step[this.#filled++] = (left[n]! + right[n]!) / 2;
      if (this.#filled === STEP_SAMPLES) this.#listen();
    }
  }

  likely(): readonly number[] {
    if (this.#filled > 0) this.#listen();
    return this.#likely;
  }

  #listen(): void {
    this.#likely.push(this.#model.step(this.#step.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}
