import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { MediaFacts } from '../../plan/model/media-facts.ts';
import type { MediaEntry } from '../document/project.ts';
import { Icon } from '../kit/icon.tsx';
import { clock } from '../kit/shown-values.ts';
import { hasService } from '../session/service-state.ts';
import * as texts from '../texts/en/page.ts';
import { mediaFile, thumbFile } from './media-store.ts';

/** The thumbnail of a file, or an icon of its kind. */
export function Thumb({ entry }: { readonly entry: MediaEntry }) {
  const url = thumbUrl(entry.hash, entry.kind).value;
  if (url === null)
    return <Icon name={entry.kind === 'audio' ? 'music' : entry.kind === 'video' ? 'film' : 'picture'} />;
  return <img class={wholeClass(entry)} src={url} alt="" draggable={false} loading="lazy" decoding="async" />;
}

/** `0:41 · 1080p`. */
export function factWords({ kind, name, duration, width, height }: MediaEntry): string {
  if (kind === 'unreadable' && /\.(ttf|otf|woff2)$/i.test(name)) return texts.font;
  const length = duration > 0 ? [clock(duration)] : [];
  const size = width > 0 ? [kind === 'video' ? `${Math.min(width, height)}p` : `${width} × ${height}`] : [];
  return [...length, ...size].join(' · ') || (hasService ? texts.checkedByService : texts.notReadHere);
}

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
