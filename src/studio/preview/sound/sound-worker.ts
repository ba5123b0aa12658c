import { ALL_FORMATS, type AudioSample, AudioSampleSink, BlobSource, Input } from 'mediabunny';
import type { VoicePart } from '../../../plan/frame/clip-pass.ts';
import type { AudioPlan } from '../../../plan/model/audio-plan.ts';
import { REACH, waveAt } from '../../../sound/dsp/interpolation.ts';
import { LoudnessMeter } from '../../../sound/dsp/loudness-meter.ts';
import { type Stereo, silentStereo } from '../../../sound/dsp/stereo.ts';
import { VoiceGate, voiceSlots } from '../../../sound/voice-gate.ts';
import { type Range, SAMPLE_RATE } from '../../../time.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { sourceOrigin } from '../../media/source-origin.ts';
import { PreviewMixer, type ReadySource } from './preview-mixer.ts';

/** Samples per step of the voice detection. */
const GATE_BLOCK = 48_000;
/** Samples per block: 0.2 s. */
const BLOCK_SAMPLES = 9600;

/** From the page: what to play, from where, and how far ahead to mix. */
export type ToSound =
  | {
      readonly kind: 'play';
      readonly number: number;
      readonly at: number;
      readonly audio: Pick<AudioPlan, 'clips' | 'duckDb'>;
      readonly hashes: readonly string[];
    }
  /** Requests blocks up to this sample. */
  | { readonly kind: 'until'; readonly number: number; readonly sample: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'file'; readonly hash: string; readonly file: Blob | null };

/** To the page. */
export type FromSound =
  | { readonly kind: 'ask_file'; readonly hash: string }
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly at: number;
      readonly left: Float32Array<ArrayBuffer>;
      readonly right: Float32Array<ArrayBuffer>;
      /** Short-term loudness at the end of the block, in LUFS; null if silent. */
      readonly loudness: number | null;
    };

/** Each file is opened once, and few stay open. */
const MAX_OPEN = 8;
const sources = new Map<string, Promise<PcmSource | null>>();
const asked = new Map<string, ((file: Blob | null) => void)[]>();
const voices = new Map<string, Promise<readonly Range<number>[]>>();

interface Playing {
  readonly number: number;
  readonly mixer: PreviewMixer;
  readonly meter: LoudnessMeter;
  at: number;
  until: number;
  isBusy: boolean;
}

let now: Playing | null = null;

workerScope.onmessage = ({ data }: MessageEvent<ToSound>) => {
  if (data.kind === 'file') {
    const waiting = asked.get(data.hash) ?? [];
    asked.delete(data.hash);
    for (const take of waiting) take(data.file);
  } else if (data.kind === 'stop') now = null;
  else if (data.kind === 'play') {
    const { number, at, audio, hashes } = data;
    const voice = voiceSlots(audio, (part) => voiceIn(hashes[part.source]!, part));
    const mixer = new PreviewMixer(audio, at, (index) => sourceOf(hashes[index]!), voice);
    now = { number, mixer, meter: new LoudnessMeter(), at, until: at, isBusy: false };
  } else if (now?.number === data.number) {
    now.until = data.sample;
    void mix(now);
  }
};

async function mix(playing: Playing): Promise<void> {
  if (playing.isBusy) return;
  playing.isBusy = true;
  while (now === playing && playing.at < playing.until) {
    const { at } = playing;
    const mixed = await playing.mixer.next(BLOCK_SAMPLES);
    playing.meter.push(mixed);
    const { left, right } = mixed;
    playing.at += BLOCK_SAMPLES;
    const block = { left: left as Float32Array<ArrayBuffer>, right: right as Float32Array<ArrayBuffer> };
    if (now === playing)
      post({ kind: 'block', number: playing.number, at, ...block, loudness: playing.meter.shortTerm() }, [
        ...[block.left.buffer, block.right.buffer],
      ]);
  }
  playing.isBusy = false;
}

/** One reply of the page serves all callers that wait for the file. */
function fileOf(hash: string): Promise<Blob | null> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  const others = asked.get(hash);
  if (others === undefined) {
    asked.set(hash, [resolve]);
    post({ kind: 'ask_file', hash });
  } else others.push(resolve);
  return promise;
}

function sourceOf(hash: string): Promise<PcmSource | null> {
  let source = sources.get(hash);
  if (source === undefined) {
    source = fileOf(hash).then((file) => {
      // It may be there the next time.
      if (file === null) sources.delete(hash);
      return file === null ? null : PcmSource.open(file);
    });
  }
  sources.delete(hash);
  sources.set(hash, source);
  for (const [oldest, open] of sources) {
    if (sources.size <= MAX_OPEN) break;
    sources.delete(oldest);
    void open.then((opened) => opened?.end());
  }
  return source;
}

/** Each part of a file is analysed once. */
function voiceIn(hash: string, part: VoicePart): Promise<readonly Range<number>[]> {
  const key = `${hash} ${part.start} ${part.end}`;
  const found = voices.get(key) ?? findVoice(key, hash, part);
  voices.set(key, found);
  return found;
}

/** Uses its own reader, since playback reads elsewhere in the file. */
async function findVoice(key: string, hash: string, { start, end }: VoicePart): Promise<readonly Range<number>[]> {
  const file = await fileOf(hash);
  // It may be there the next time.
  if (file === null) voices.delete(key);
  const source = file && (await PcmSource.open(file));
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

function post(message: FromSound, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}

/** Decoded sound to keep before the last read position, in seconds. */
const KEPT_BEHIND = 2;
/** For a longer skip ahead, a new start is faster. */
const SKIP_AHEAD = 8;
const HALF_POWER = Math.SQRT1_2;

/** The sound of a file by position, decoded on demand. Positions are samples at 48 kHz from source time 0. */
class PcmSource implements ReadySource {
  readonly #input: Input;
  readonly #sink: AudioSampleSink;
  readonly #origin: number;
  readonly #rate: number;
  #samples: AsyncGenerator<AudioSample, void, unknown> | null = null;
  /** At the file's own rate, starting at sample `#heldAt`. */
  #left = new Float32Array(0);
  #right = new Float32Array(0);
  #heldAt = 0;
  #atEnd = false;

  private constructor(input: Input, sink: AudioSampleSink, origin: number, rate: number) {
    this.#input = input;
    this.#sink = sink;
    this.#origin = origin;
    this.#rate = rate;
  }

  /** @returns null if the file has no sound that this browser can decode. */
  static async open(file: Blob): Promise<PcmSource | null> {
    const input = new Input({ source: new BlobSource(file), formats: ALL_FORMATS });
    try {
      const track = await input.getPrimaryAudioTrack();
      if (track === null || !(await track.canDecode())) throw new Error('no sound');
      return new PcmSource(input, new AudioSampleSink(track), await sourceOrigin(input), await track.getSampleRate());
    } catch {
      input.dispose();
      return null;
    }
  }

  async ready(from: number, to: number): Promise<void> {
    const first = Math.floor((from * this.#rate) / SAMPLE_RATE) - REACH;
    const last = Math.ceil((to * this.#rate) / SAMPLE_RATE) + REACH;
    const end = this.#heldAt + this.#left.length;
    if (this.#samples === null || first < this.#heldAt - REACH || first > end + SKIP_AHEAD * this.#rate) {
      void this.#samples?.return();
      this.#heldAt = Math.max(0, first);
      this.#left = new Float32Array(0);
      this.#right = new Float32Array(0);
      this.#atEnd = false;
      this.#samples = this.#sink.samples(this.#origin + this.#heldAt / this.#rate);
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
      until = Math.max(until, at + sample.numberOfFrames);
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
      if (skip >= block.left.length) continue;
      left.set(block.left.subarray(skip), block.at + skip - from);
      right.set(block.right.subarray(skip), block.at + skip - from);
    }
    this.#left = left;
    this.#right = right;
    this.#heldAt = from;
  }
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
