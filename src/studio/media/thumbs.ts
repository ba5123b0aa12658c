import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { MediaFacts } from '../../plan/media-facts.ts';
import { mediaFile, thumbFile } from './media-store.ts';

const urls = new Map<string, Signal<string | null>>();

/** URL of a file's thumbnail; null until there is one, or if there never will be. */
export function thumbUrl(sha256: string, kind: string): ReadonlySignal<string | null> {
  const known = urls.get(sha256);
  if (known !== undefined) return known;
  const url = signal<string | null>(null);
  urls.set(sha256, url);
  void showThumb(sha256, kind, url);
  return url;
}

/** A file has arrived (again), perhaps with a thumbnail: components that show it update. */
export function thumbCame(sha256: string, kind: string, thumb: Blob | null): void {
  const url = urls.get(sha256) ?? signal(null);
  urls.set(sha256, url);
  if (url.value !== null) return;
  if (thumb === null) void showThumb(sha256, kind, url);
  else url.value = URL.createObjectURL(thumb);
}

async function showThumb(sha256: string, kind: string, url: Signal<string | null>): Promise<void> {
  // An SVG is its own thumbnail: in an img element it runs no script and loads nothing.
  const drawing = kind === 'drawing' ? await mediaFile(sha256) : null;
  const file = drawing === null ? await thumbFile(sha256) : new Blob([drawing], { type: 'image/svg+xml' });
  if (file !== null) url.value = URL.createObjectURL(file);
}

/** Logos and the like are shown whole, on a background on which dark and light ink are visible. Photos fill their card. */
export function wholeClass({ alpha, width, height }: Pick<MediaFacts, 'alpha' | 'width' | 'height'>): string {
  const isLong = Math.max(width, height) > 2 * Math.min(width, height);
  return alpha || isLong ? 'whole' : '';
}
