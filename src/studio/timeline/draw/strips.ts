import { effect, signal } from '@preact/signals';
import { startWorker } from '../../kit/assets.ts';
import { mediaFile, onMediaCame } from '../../media/media-store.ts';
import { thumbUrl } from '../../media/thumb.tsx';
import type { StripOrder, StripReply } from './strips-worker.ts';

/** Increases when a frame or waveform arrives, so that it is drawn. */
export const stripsCame = signal(0);

/** The size of the cache of frames; the least recently used are removed first. */
const MAX_PICTURES = 800;
const PICTURE_PX = 76;

const pictures = new Map<string, ImageBitmap | null>();
const wanted = new Map<string, Set<number>>();
const waves = new Map<string, Uint8Array>();
let worker: Worker | null = null;
let isScheduled = false;

/** The nearest cached frame of a clip at a time. If it is not the right one, that is requested. */
export function filmPicture(hash: string, time: number, spacing: number): ImageBitmap | null {
  const place = Math.floor(time / spacing + 1e-6) * spacing;
  const key = `${hash} ${place}`;
  const known = pictures.get(key);
  if (known !== undefined) {
    pictures.delete(key);
    pictures.set(key, known);
    return known;
  }
  want(hash, place);
  // Use a coarser one meanwhile.
  for (let coarser = spacing * 2; coarser <= spacing * 64; coarser *= 2) {
    const near = pictures.get(`${hash} ${Math.floor(time / coarser + 1e-6) * coarser}`);
    if (near) return near;
  }
  return null;
}

/** Seconds between the frames of a strip: powers of two, so that zooming finds cached frames. */
export function spacingFor(secondsAPicture: number): number {
  return 2 ** Math.max(-3, Math.ceil(Math.log2(secondsAPicture)));
}

/** The known peaks of a sound; requested at the first call. */
export function wave(hash: string): Uint8Array | null {
  const known = waves.get(hash);
  if (known !== undefined) return known;
  waves.set(hash, new Uint8Array(0));
  void order({ kind: 'peaks', hash });
  return null;
}

function want(hash: string, time: number): void {
  const times = wanted.get(hash) ?? new Set();
  times.add(time);
  wanted.set(hash, times);
  if (isScheduled) return;
  isScheduled = true;
  // One drawing makes one order, so that the decoder reads the file once.
  setTimeout(() => {
    isScheduled = false;
    for (const [of, asked] of wanted) {
      const fresh = [...asked].sort((a, b) => a - b);
      for (const at of fresh) pictures.set(`${of} ${at}`, null);
      void order({ kind: 'film', hash: of, times: fresh, height: PICTURE_PX });
    }
    wanted.clear();
  }, 50);
}

type Asked = { kind: 'peaks'; hash: string } | { kind: 'film'; hash: string; times: readonly number[]; height: number };

/** Requested and not found. */
const absent = new Set<string>();

onMediaCame((hash) => {
  if (!absent.delete(hash)) return;
  waves.delete(hash);
  for (const key of [...pictures.keys()]) if (key.startsWith(`${hash} `)) pictures.delete(key);
  stripsCame.value += 1;
});

async function order(asked: Asked): Promise<void> {
  const file = await mediaFile(asked.hash);
  if (file === null) {
    absent.add(asked.hash);
    return;
  }
  if (worker === null) {
    worker = startWorker('strips-worker');
    worker.onmessage = ({ data }: MessageEvent<StripReply>) => take(data);
  }
  worker.postMessage({ ...asked, file } satisfies StripOrder);
}

function take(reply: StripReply): void {
  if (reply.kind === 'film') {
    pictures.set(`${reply.hash} ${reply.time}`, reply.bitmap);
    for (const [key, bitmap] of pictures) {
      if (pictures.size <= MAX_PICTURES) break;
      bitmap?.close();
      pictures.delete(key);
    }
  } else {
    const before = waves.get(reply.hash) ?? new Uint8Array(0);
    const all = new Uint8Array(reply.from + reply.peaks.length);
    all.set(before.subarray(0, reply.from));
    all.set(reply.peaks, reply.from);
    waves.set(reply.hash, all);
  }
  stripsCame.value += 1;
}

/** The shorter side of a cached picture. */
const KEPT_PX = 128;

const images = new Map<string, HTMLCanvasElement | null>();

/** A small picture of a file; null until it is loaded. */
export function cardImage(hash: string, kind: string): HTMLCanvasElement | null {
  const known = images.get(hash);
  if (known !== undefined) return known;
  images.set(hash, null);
  const url = thumbUrl(hash, kind);
  effect(() => {
    if (url.value !== null) void load(hash, url.value);
  });
  return null;
}

async function load(hash: string, url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    images.set(hash, drawn(image));
    stripsCame.value += 1;
  } catch {
    // A file that cannot be shown is shown by its name.
  }
}

/** Rasterized, since `drawImage` cannot crop an SVG without a size. */
function drawn(image: HTMLImageElement): HTMLCanvasElement {
  const [width, height] = [image.naturalWidth || KEPT_PX, image.naturalHeight || KEPT_PX];
  const scale = KEPT_PX / Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}
