import { ExportError } from '../../errors.ts';
import { type Stereo, StereoQueue, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import type { SoundSource } from '../../sound/dsp/time-stretch.ts';
import { type SoundBlock, SteadySound } from '../../sound/steady-sound.ts';
import { SAMPLE_RATE, sampleAtMicros } from '../../time.ts';
import type { FilePart } from '../input/find-parts.ts';
import { type JoinedPart, joinedParts } from '../input/joined-parts.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { openInput } from '../input/open-input.ts';
import { conversionStart, RateConverter } from './rate-converter.ts';
import { SoundStream } from './sound-stream.ts';

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

/** Going on to decode is cheaper than a seek up to here. */
const READ_THROUGH_SAMPLES = 2 * SAMPLE_RATE;
const SILENCE = silentStereo(4096);

/**
 * The sound of a file, or of one part of a joined file, at 48 kHz stereo, by place: sample `at` is the one at source
 * time `at / 48000` s. The result of a read does not depend on earlier reads; only its cost does, and is least for
 * consecutive reads. Before the sound, after it and in its gaps there is silence.
 */
class PartSound implements AsyncDisposable {
  readonly #stream: SoundStream;
  readonly #steady: SteadySound;
  readonly #queue = new StereoQueue();
  #converter: RateConverter | null = null;
  /** Place of the first sample in the queue. */
  #queueAt = 0;
  /** Place, at the stream's rate, of the next sample that goes into the queue. */
  #sourceAt = 0;
  #held: SoundBlock | null = null;
  #state: 'unplaced' | 'reading' | 'ended' = 'unplaced';

  private constructor(stream: SoundStream) {
    this.#stream = stream;
    this.#steady = new SteadySound(stream);
  }

  /**
   * @returns null if the file has no sound.
   * @throws the errors of `openInput`, and `sound.undecodable`.
   */
  static async open(
    file: string,
    limits: MediaLimits,
    signal?: AbortSignal,
    part?: FilePart,
  ): Promise<PartSound | null> {
    const stream = await SoundStream.open(await openInput(file, limits, signal, part));
    return stream && new PartSound(stream);
  }

  /** How many packets could not be decoded so far. */
  get failures(): number {
    return this.#stream.failures;
  }

  /** Fills `into` with the sound from place `at` on. */
  read(at: number, into: Stereo): void {
    const wanted = into.left.length;
    const end = this.#queueAt + this.#queue.length;
    const near = this.#state === 'ended' || at <= end + READ_THROUGH_SAMPLES;
    if (this.#state === 'unplaced' || at < this.#queueAt || !near) this.#place(at);
    this.#discardUntil(at);
    while (this.#queueAt + this.#queue.length < at + wanted && this.#state === 'reading') {
      this.#fill();
      this.#discardUntil(at);
    }
    const there = this.#queueAt === at ? this.#queue.peek(wanted) : stereoView(SILENCE, 0, 0);
    into.left.set(there.left);
    into.right.set(there.right);
    into.left.fill(0, there.left.length);
    into.right.fill(0, there.right.length);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#converter?.[Symbol.dispose]();
    await this.#stream[Symbol.asyncDispose]();
  }

  #place(at: number): void {
    const { rate } = this.#stream;
    this.#converter?.[Symbol.dispose]();
    this.#converter = rate === SAMPLE_RATE ? null : new RateConverter(rate, SAMPLE_RATE);
    const { source, output } = rate === SAMPLE_RATE ? { source: at, output: at } : conversionStart(at, rate);
    this.#steady.seek(source);
    this.#queue.clear();
    this.#queueAt = output;
    this.#sourceAt = source;
    this.#held = null;
    this.#state = 'reading';
  }

  #discardUntil(at: number): void {
    const count = Math.min(at - this.#queueAt, this.#queue.length);
    if (count <= 0) return;
    this.#queue.drop(count);
    this.#queueAt += count;
  }

  /** Adds one more block, of sound or of the silence in front of it, to the queue. */
  #fill(): void {
    this.#held ??= this.#steady.next();
    if (this.#held === null) {
      if (this.#converter !== null) this.#queue.push(this.#converter.flush());
      this.#state = 'ended';
      return;
    }
    const { at, sound } = this.#held;
    const gap = at - this.#sourceAt;
    if (gap > 0) {
      this.#append(stereoView(SILENCE, 0, Math.min(gap, SILENCE.left.length)));
      return;
    }
    this.#held = null;
    if (-gap < sound.left.length) this.#append(stereoView(sound, -gap, sound.left.length));
  }

  #append(sound: Stereo): void {
    this.#sourceAt += sound.left.length;
    this.#queue.push(this.#converter === null ? sound : this.#converter.convert(sound));
  }
}
