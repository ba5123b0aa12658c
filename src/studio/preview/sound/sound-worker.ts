import type { VoicePart } from '../../../plan/frame/clip-pass.ts';
import type { AudioPlan } from '../../../plan/model/audio-plan.ts';
import { LoudnessMeter } from '../../../sound/dsp/loudness-meter.ts';
import { voiceSlots } from '../../../sound/voice-gate.ts';
import type { Range } from '../../../time.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { PcmSource, voiceOf } from './pcm-source.ts';
import { PreviewMixer } from './preview-mixer.ts';

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

async function findVoice(key: string, hash: string, part: VoicePart): Promise<readonly Range<number>[]> {
  const file = await fileOf(hash);
  // It may be there the next time.
  if (file === null) voices.delete(key);
  return file === null ? [] : voiceOf(file, part);
}

function post(message: FromSound, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}
