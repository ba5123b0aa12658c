import { ALL_FORMATS, type AudioSample, AudioSampleSink, BlobSource, Input } from 'mediabunny';
import type { VoicePart } from '../../../plan/frame/clip-pass.ts';
import { REACH, waveAt } from '../../../sound/dsp/interpolation.ts';
import { type Stereo, silentStereo } from '../../../sound/dsp/stereo.ts';
import { VoiceGate } from '../../../sound/voice-gate.ts';
import { type Range, SAMPLE_RATE } from '../../../time.ts';
import { type PlayedPart, playedPart } from '../../media/played-part.ts';
import type { ReadySource } from './preview-mixer.ts';

/** Decoded sound to keep before the last read position, in seconds. */
const KEPT_BEHIND = 2;
/** For a longer skip ahead, a new start is faster. */
const SKIP_AHEAD = 8;
/**
 * A decoder that starts in mid-stream needs earlier packets, as in the engine: the overlap of AAC and Vorbis, the bit reservoir of MP3, the
 * 80 ms that Opus takes to converge.
 */
const PREROLL_SECONDS = 0.3;
const HALF_POWER = Math.SQRT1_2;

/** The sound of a file by position, decoded on demand. Positions are samples at 48 kHz from source time 0. */
export class PcmSource implements ReadySource {
  readonly #input: Input;
  readonly #sink: AudioSampleSink;
  readonly #origin: number;
  readonly #rate: number;
  /** How many samples are played. */
  readonly #length: number;
  #samples: AsyncGenerator<AudioSample, void, unknown> | null = null;
  /** At the file's own rate, starting at sample `#heldAt`. */
  #left = new Float32Array(0);
  #right = new Float32Array(0);
  #heldAt = 0;
  #atEnd = false;

  private constructor(input: Input, sink: AudioSampleSink, { origin, end }: PlayedPart, rate: number) {
    this.#input = input;
    this.#sink = sink;
    this.#origin = origin;
    this.#rate = rate;
    this.#length = end === null ? Number.POSITIVE_INFINITY : Math.round((end - origin) * rate);
  }

  /** @returns null if the file has no sound that this browser can decode. */
  static async open(file: Blob): Promise<PcmSource | null> {
    const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
    try {
      const track = await input.getPrimaryAudioTrack();
      if (track === null || !(await track.canDecode())) throw new Error('no sound');
      return new PcmSource(
        input,
        new AudioSampleSink(track),
        await playedPart(input, file),
        await track.getSampleRate(),
      );
    } catch {
      input.dispose();
      return null;
    }
  }

  async ready(from: number, to: number): Promise<void> {
    const first = Math.floor((from * this.#rate) / SAMPLE_RATE) - REACH;
    const last = Math.min(this.#length, Math.ceil((to * this.#rate) / SAMPLE_RATE) + REACH);
    const end = this.#heldAt + this.#left.length;
    if (this.#samples === null || first < this.#heldAt - REACH || first > end + SKIP_AHEAD * this.#rate) {
      void this.#samples?.return();
      this.#heldAt = Math.max(0, first);
      this.#left = new Float32Array(0);
      this.#right = new Float32Array(0);
      this.#atEnd = false;
      this.#samples = this.#sink.samples(this.#origin + this.#heldAt / this.#rate - PREROLL_SECONDS);
    }
    const gathered: { at: number; left: Float32Array; right: Float32Array }[] = [];
    let until = this.#heldAt + this.#left.length;
    while (!this.#atEnd && until < last) {
      const { value } = await this.#samples.next();
      if (value === undefined) {
        this.#atEnd = true;
        break;
      }
      using sample = value;
      const at = Math.round((sample.timestamp - this.#origin) * this.#rate);
      gathered.push({ at, ...stereoOf(sample) });
      until = Math.max(until, Math.min(at + sample.numberOfFrames, this.#length));
    }
    if (gathered.length > 0) this.#append(gathered, until, first);
  }

  read(at: number, { left, right }: Stereo): void {
    const isSame = this.#rate === SAMPLE_RATE;
    for (let i = 0; i < left.length; i += 1) {
      const place = ((at + i) * this.#rate) / SAMPLE_RATE - this.#heldAt;
      left[i] = isSame ? (this.#left[place] ?? 0) : waveAt(this.#left, place);
      right[i] = isSame ? (this.#right[place] ?? 0) : waveAt(this.#right, place);
    }
  }

  end(): void {
    void this.#samples?.return();
    this.#input.dispose();
  }

  #append(
    blocks: readonly { at: number; left: Float32Array; right: Float32Array }[],
    until: number,
    first: number,
  ): void {
    const from = Math.max(this.#heldAt, Math.min(first, this.#heldAt + this.#left.length) - KEPT_BEHIND * this.#rate);
    const [left, right] = [new Float32Array(until - from), new Float32Array(until - from)];
    left.set(this.#left.subarray(from - this.#heldAt));
    right.set(this.#right.subarray(from - this.#heldAt));
    for (const block of blocks) {
      const skip = Math.max(0, from - block.at);
      const end = Math.min(block.left.length, until - block.at);
      if (skip >= end) continue;
      left.set(block.left.subarray(skip, end), block.at + skip - from);
      right.set(block.right.subarray(skip, end), block.at + skip - from);
    }
    this.#left = left;
    this.#right = right;
    this.#heldAt = from;
  }
}

/** Samples per step of the voice detection. */
const GATE_BLOCK = 48_000;

/** When there is voice in a part of a file, in samples. It has its own reader, since playback reads elsewhere in the file. */
export async function voiceOf(file: Blob, { start, end }: VoicePart): Promise<readonly Range<number>[]> {
  const source = await PcmSource.open(file);
  if (source === null) return [];
  const gate = new VoiceGate();
  for (let at = start; at < end; at += GATE_BLOCK) {
    const block = silentStereo(Math.min(GATE_BLOCK, end - at));
    await source.ready(at, at + block.left.length);
    source.read(at, block);
    gate.push(block);
  }
  source.end();
  return gate.spans();
}

/** Folds down to stereo: front channels at full level, the others at half power. */
function stereoOf(sample: AudioSample): { left: Float32Array; right: Float32Array } {
  const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
  const [left, right = left, center, , ...around] = channels as [Float32Array, ...Float32Array[]];
  if (channels.length <= 2) return { left: left!, right: right! };
  const folded = [left!, right!].map((side, index) => {
    const rear = around[index];
    return side.map((value, i) => value + HALF_POWER * (center?.[i] ?? 0) + HALF_POWER * (rear?.[i] ?? 0));
  });
  return { left: folded[0]!, right: folded[1]! };
}
