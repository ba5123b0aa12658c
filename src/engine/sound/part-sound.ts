import { type Stereo, silentStereo, stereoView } from '../../sound/dsp/stereo.ts';
import { StereoQueue } from '../../sound/dsp/stereo-queue.ts';
import { type SoundBlock, SteadySound } from '../../sound/steady-sound.ts';
import { SAMPLE_RATE } from '../../time.ts';
import type { MediaLimits } from '../input/media-limits.ts';
import { openInput } from '../input/open-input.ts';
import type { FilePart } from '../input/parts/find-parts.ts';
import { conversionStart, RateConverter } from './rate-converter.ts';
import { SoundStream } from './sound-stream.ts';

/** Going on to decode is cheaper than a seek up to here. */
const READ_THROUGH_SAMPLES = 2 * SAMPLE_RATE;
const SILENCE = silentStereo(4096);

/**
 * The sound of a file, or of one part of a joined file, at 48 kHz stereo, by place: sample `at` is the one at source
 * time `at / 48000` s. The result of a read does not depend on earlier reads; only its cost does, and is least for
 * consecutive reads. Before the sound, after it and in its gaps there is silence.
 */
export class PartSound implements AsyncDisposable {
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
