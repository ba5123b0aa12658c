import { ExportError } from '../../errors.ts';
import { type Stereo, stereoView } from '../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../sound/dsp/time-stretch.ts';
import { sampleAtMicros } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { type JoinedPart, joinedParts } from '../input/parts/joined-parts.ts';
import { PartSound } from './part-sound.ts';

/** A sound, and the place of its sample 0 in the file. */
interface Placed {
  readonly sound: PartSound;
  readonly start: number;
}

/**
 * The sound of one file at 48 kHz stereo, by place: sample `at` is the one at source time `at / 48000` s. The result of
 * a read does not depend on earlier reads. In a joined file, each part is heard up to the next. (R21)
 */
export class SoundReader implements SoundSource, AsyncDisposable {
  /** The first is heard from the beginning of time. */
  readonly #parts: readonly Placed[];

  private constructor(parts: readonly Placed[]) {
    this.#parts = parts;
  }

  /**
   * @returns null if the file has no sound.
   * @throws the errors of `openInput`, and `sound.undecodable`.
   */
  static async open(file: string, limits: MediaLimits, signal?: AbortSignal): Promise<SoundReader | null> {
    const parts = await joinedParts(file, limits);
    if (parts !== null) return SoundReader.#openParts(file, parts, limits, signal);
    const sound = await PartSound.open(file, limits, signal);
    return sound && new SoundReader([{ sound, start: 0 }]);
  }

  /** A part that cannot be decoded is silent, unless it is the only one. */
  static async #openParts(
    file: string,
    parts: readonly JoinedPart[],
    limits: MediaLimits,
    signal?: AbortSignal,
  ): Promise<SoundReader | null> {
    await using owned = new AsyncDisposableStack();
    const opened: Placed[] = [];
    let undecodable: ExportError | null = null;
    for (const part of parts) {
      try {
        const sound = await PartSound.open(file, limits, signal, part);
        if (sound !== null) opened.push({ sound: owned.use(sound), start: sampleAtMicros(part.start) });
      } catch (error) {
        if (!(error instanceof ExportError) || error.code !== 'sound.undecodable') throw error;
        undecodable = error;
      }
    }
    if (opened.length === 0 && undecodable !== null) throw undecodable;
    owned.move();
    return opened.length === 0 ? null : new SoundReader(opened);
  }

  /** How many files it holds open: one for each part that sounds. */
  get openFiles(): number {
    return this.#parts.length;
  }

  /** How many packets could not be decoded so far. */
  get failures(): number {
    return this.#parts.reduce((sum, { sound }) => sum + sound.failures, 0);
  }

  /** Fills `into` with the sound from place `at` on. */
  read(at: number, into: Stereo): void {
    const wanted = into.left.length;
    for (const [index, { sound, start }] of this.#parts.entries()) {
      const from = index === 0 ? 0 : Math.max(0, start - at);
      const to = Math.min(wanted, (this.#parts[index + 1]?.start ?? Number.POSITIVE_INFINITY) - at);
      if (from < to) sound.read(at + from - start, stereoView(into, from, to));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { sound } of this.#parts) await sound[Symbol.asyncDispose]();
  }
}
