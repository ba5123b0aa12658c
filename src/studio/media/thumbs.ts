import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { MediaFacts } from '../../plan/media-facts.ts';
import { mediaFile, thumbFile } from './media-store.ts';

const urls = new Map<string, Signal<string | null>>();

/** The address of a small picture of a file; null until there is one, and where there will never be. */
export function thumbUrl(sha256: string, kind: string): ReadonlySignal<string | null> {
  const known = urls.get(sha256);
  if (known !== undefined) return known;
  const url = signal<string | null>(null);
  urls.set(sha256, url);
  void showThumb(sha256, kind, url);
  return url;
}

/** A file has come (back), with its small picture if there is one: whoever shows it looks again, or has it at once. */
export function thumbCame(sha256: string, kind: string, thumb: Blob | null): void {
  const url = urls.get(sha256) ?? signal(null);
  urls.set(sha256, url);
  if (url.value !== null) return;
  if (thumb === null) void showThumb(sha256, kind, url);
  else url.value = URL.createObjectURL(thumb);
}

async function showThumb(sha256: string, kind: string, url: Signal<string | null>): Promise<void> {
  // A drawing is its own small picture: in an img element it runs no script and loads nothing.
  const drawing = kind === 'drawing' ? await mediaFile(sha256) : null;
  const file = drawing === null ? await thumbFile(sha256) : new Blob([drawing], { type: 'image/svg+xml' });
  if (file !== null) url.value = URL.createObjectURL(file);
}

/** Logos and the like are seen whole, on a ground that dark and light ink both show on; photos fill their card. */
export function wholeClass({ alpha, width, height }: Pick<MediaFacts, 'alpha' | 'width' | 'height'>): string {
  const isLong = Math.max(width, height) > 2 * Math.min(width, height);
  return alpha || isLong ? 'whole' : '';
}
