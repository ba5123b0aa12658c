import type { AudioClip } from '../../../plan/render-plan.ts';
import { workerScope } from '../../kit/worker-scope.ts';
import { PcmSource } from './pcm-source.ts';
import { PreviewMixer } from './preview-mixer.ts';

/** Half as much again as what is asked for at a time. */
const BLOCK_SAMPLES = 9600;

/** From the page: what is to be heard, from where on, and how far it may run ahead. */
export type ToSound =
  | {
      readonly kind: 'play';
      readonly number: number;
      readonly at: number;
      readonly clips: readonly AudioClip[];
      readonly hashes: readonly string[];
    }
  /** Blocks up to this sample are wanted. */
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
    };

/** Files are opened once; few stay open. */
const MOST_OPEN = 8;
const sources = new Map<string, Promise<PcmSource | null>>();
const asked = new Map<string, (file: Blob | null) => void>();

interface Playing {
  readonly number: number;
  readonly mixer: PreviewMixer;
  at: number;
  until: number;
  isBusy: boolean;
}

let now: Playing | null = null;

workerScope.onmessage = ({ data }: MessageEvent<ToSound>) => {
  if (data.kind === 'file') {
    asked.get(data.hash)?.(data.file);
    asked.delete(data.hash);
  } else if (data.kind === 'stop') now = null;
  else if (data.kind === 'play') {
    const { number, at, clips, hashes } = data;
    const mixer = new PreviewMixer(clips, at, (index) => sourceOf(hashes[index]!));
    now = { number, mixer, at, until: at, isBusy: false };
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
    const { left, right } = await playing.mixer.next(BLOCK_SAMPLES);
    playing.at += BLOCK_SAMPLES;
    const block = { left: left as Float32Array<ArrayBuffer>, right: right as Float32Array<ArrayBuffer> };
    if (now === playing)
      tell({ kind: 'block', number: playing.number, at, ...block }, [block.left.buffer, block.right.buffer]);
  }
  playing.isBusy = false;
}

function sourceOf(hash: string): Promise<PcmSource | null> {
  let source = sources.get(hash);
  if (source === undefined) {
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    asked.set(hash, resolve);
    tell({ kind: 'ask_file', hash });
    source = promise.then((file) => {
      // It may be there the next time.
      if (file === null) sources.delete(hash);
      return file === null ? null : PcmSource.open(file);
    });
  }
  sources.delete(hash);
  sources.set(hash, source);
  for (const [oldest, open] of sources) {
    if (sources.size <= MOST_OPEN) break;
    sources.delete(oldest);
    void open.then((opened) => opened?.end());
  }
  return source;
}

function tell(message: FromSound, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}
