import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RawItem } from '../../timeline/schema.ts';
import type { MediaEntry } from '../document/project.ts';
import { thumbUrl, wholeClass } from '../media/thumbs.ts';
import { mediaShelf } from '../session/session.ts';

/** The picture of an item, or its name where there is none to be shown. */
export function ItemPicture({ item }: { readonly item: RawItem }) {
  const field = item.file_field ?? '';
  const coming = useMemo(() => computed(() => mediaShelf.value.coming?.[field]), [field]).value;
  const media = useMemo(() => computed(() => mediaShelf.value.media[field]), [field]).value ?? coming;
  const url = media === undefined ? null : thumbUrl(media.hash, media.kind).value;
  if (url === null) {
    const [first = '', second = ''] = item.name ?? item.id;
    // Drawn by the style sheet: letters are no part of the name that is told.
    return <b class={`no-picture ${coming === undefined ? '' : 'coming'}`} data-letters={first + second} />;
  }
  return (
    <img
      class={wholeClass(media!)}
      style={{ 'object-view-box': viewBox(item, media!) }}
      src={url}
      alt=""
      draggable={false}
      loading="lazy"
      decoding="async"
    />
  );
}

/** The square of a picture that its focus and zoom leave in sight. (R35) */
function viewBox({ image_focus: focus, image_zoom: zoom = 1 }: RawItem, { width, height }: MediaEntry): string {
  if (focus === undefined && zoom === 1) return '';
  const side = Math.min(width, height) / zoom;
  const start = (length: number, percent = 50) =>
    Math.min(length - side, Math.max(0, (length * percent) / 100 - side / 2)) / length;
  const [left, top] = [start(width, focus?.x), start(height, focus?.y)];
  const [right, bottom] = [1 - left - side / width, 1 - top - side / height];
  return `inset(${[top, right, bottom, left].map((share) => `${share * 100}%`).join(' ')})`;
}
