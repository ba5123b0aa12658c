import { computed, useComputed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { RawItem } from '../../timeline/schema.ts';
import { itemsOf } from '../document/board-commands.ts';
import { isItemSelected, type Selection } from '../document/selection.ts';
import { thumbUrl, wholeClass } from '../media/thumbs.ts';
import { mediaShelf, selection, tierList } from '../session.ts';
import { dragItem, inAir, lifted } from './board-drag.ts';

interface TileProps {
  readonly item: RawItem;
  /** Where it stands. */
  readonly rowId: string | null;
}

/** A card. Of five hundred only those are gone through that have changed themselves. */
export function BoardTile({ item, rowId }: TileProps) {
  const chosen = useComputed(() => isItemSelected(selection.value, item.id)).value;
  const held = useComputed(() => (inAir.value.has(item.id) ? (lifted.value?.by ?? null) : null)).value;
  const name = item.name ?? item.id;
  return (
    <li
      role="option"
      id={`tile-${item.id}`}
      data-item={item.id}
      class={`tile ${chosen ? 'sel' : ''} ${held === null ? '' : held === 'keys' ? 'held' : 'slot'}`}
      aria-selected={chosen}
      aria-label={name}
      tabIndex={-1}
      onPointerDown={(event) => dragItem(event, item.id)}
      onClick={(event) => {
        const beside = itemsOf(tierList.value, rowId).map(({ id }) => id);
        selection.value = chosenBy(event, item.id, beside);
      }}
    >
      <ItemPicture item={item} />
      <span aria-hidden="true">{name}</span>
    </li>
  );
}

/** The picture of an item, or its name where there is none to be shown. */
export function ItemPicture({ item }: { readonly item: RawItem }) {
  const field = item.file_field ?? '';
  const media = useMemo(() => computed(() => mediaShelf.value.media[field]), [field]).value;
  const isComing = useMemo(() => computed(() => mediaShelf.value.coming?.[field] !== undefined), [field]).value;
  const url = media === undefined ? null : thumbUrl(media.hash, media.kind).value;
  if (url === null) {
    const [first = '', second = ''] = item.name ?? item.id;
    // Drawn by the style sheet: letters are no part of the name that is told.
    return <b class={`no-picture ${isComing ? 'coming' : ''}`} data-letters={first + second} />;
  }
  return <img class={wholeClass(media!)} src={url} alt="" draggable={false} loading="lazy" decoding="async" />;
}

/** A click chooses one, with Control one more or less, with Shift all up to there. */
function chosenBy(event: MouseEvent, id: string, beside: readonly string[]): Selection {
  const before = selection.value.kind === 'items' ? selection.value.ids : [];
  if (event.ctrlKey || event.metaKey) {
    return { kind: 'items', ids: before.includes(id) ? before.filter((each) => each !== id) : [...before, id] };
  }
  const from = beside.indexOf(before.at(-1) ?? '');
  const to = beside.indexOf(id);
  if (event.shiftKey && from >= 0) {
    const stretch = beside.slice(Math.min(from, to), Math.max(from, to) + 1);
    return { kind: 'items', ids: [...new Set([...before, ...stretch])] };
  }
  return { kind: 'items', ids: [id] };
}
