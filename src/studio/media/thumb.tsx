import type { MediaEntry } from '../document/project.ts';
import { clock } from '../kit/figures.ts';
import { Icon } from '../kit/icon.tsx';
import * as texts from '../texts/en/page.ts';
import { thumbUrl, wholeClass } from './thumbs.ts';

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
  return [...length, ...size].join(' · ') || texts.checkedByService;
}
