import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RawItem } from '../../timeline/document-schemas.ts';
import { cardView } from '../document/card-view.ts';
import { thumbUrl, wholeClass } from '../media/thumb.tsx';
import { mediaShelf } from '../session/session.ts';

/** The picture of an item, or its initials if there is none to show. */
export function ItemPicture({ item }: { readonly item: RawItem }) {
  const field = item.file_field ?? '';
  const coming = useMemo(() => computed(() => mediaShelf.value.coming?.[field]), [field]).value;
  const media = useMemo(() => computed(() => mediaShelf.value.media[field]), [field]).value ?? coming;
  const url = media === undefined ? null : thumbUrl(media.hash, media.kind).value;
  if (url === null) {
    const [first = '', second = ''] = item.name ?? item.id;
    // The style sheet draws the letters, so that they are not part of the accessible name.
    return <b class={`no-picture ${coming === undefined ? '' : 'coming'}`} data-letters={first + second} />;
  }
  const whole = wholeClass(media!);
  return (
    <img
      class={whole}
      style={cardView(item, media!, whole !== '')}
      src={url}
      alt=""
      draggable={false}
      loading="lazy"
      decoding="async"
    />
  );
}
