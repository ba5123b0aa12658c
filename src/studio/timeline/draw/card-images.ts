import { effect } from '@preact/signals';
import { thumbUrl } from '../../media/thumbs.ts';
import { stripsCame } from './strips.ts';

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
