import { ExportError } from '../../errors.ts';
import type { AudioPlan } from '../../plan/model/audio-plan.ts';
import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { SAMPLE_RATE, type Seconds } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { probe } from '../probe/probe-media.ts';
import { Mixer } from '../sound/mixer.ts';
import { SoundReader } from '../sound/sound-reader.ts';

/** Reads forward. */
export interface SpeechReader {
  /** Fills a block with the sound from sample `at` on, at 48 kHz. */
  read(at: number, block: Stereo): void | Promise<void>;
}

/** A recording that can be listened to several times. */
export interface SpeechSource {
  readonly duration: Seconds;
  open(): Promise<SpeechReader & AsyncDisposable>;
}

/** @throws `captions.no_sound`; the errors of opening a file. */
export async function fileSource(file: string, limits: MediaLimits, signal: AbortSignal): Promise<SpeechSource> {
  const { facts } = await probe(file, limits, signal);
  return {
    duration: facts.duration,
    open: async () => {
      const reader = facts.sound ? await SoundReader.open(file, limits, signal) : null;
      if (reader !== null) return reader;
      throw new ExportError('invalid', 'captions.no_sound', 'The file has no sound to transcribe.');
    },
  };
}

/** @param files by source index. */
export function mixSource(
  audio: Pick<AudioPlan, 'clips' | 'totalSamples'>,
  files: ReadonlyMap<number, string>,
  limits: MediaLimits,
  signal: AbortSignal,
): SpeechSource {
  return {
    duration: audio.totalSamples / SAMPLE_RATE,
    open: async () => new MixReader(new Mixer({ clips: audio.clips, duckDb: 0 }, [], files, limits, signal)),
  };
}

/** A mixer must read every block. */
class MixReader implements SpeechReader, AsyncDisposable {
  readonly #mixer: Mixer;
  readonly #skipped = silentStereo(SAMPLE_RATE);
  #at = 0;

  constructor(mixer: Mixer) {
    this.#mixer = mixer;
  }

  async read(at: number, block: Stereo): Promise<void> {
    while (this.#at < at) await this.#mix(stereoView(this.#skipped, 0, Math.min(SAMPLE_RATE, at - this.#at)));
    await this.#mix(block);
  }

  async #mix(block: Stereo): Promise<void> {
    block.left.fill(0);
    block.right.fill(0);
    await this.#mixer.addTo(block, this.#at);
    this.#at += block.left.length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#mixer[Symbol.asyncDispose]();
  }
}
