import type { RawItem } from '../../timeline/schema.ts';
import { isItemSelected, type Selection } from '../document/selection.ts';
import { thumbUrl } from '../media/thumbs.ts';
import { project, selection } from '../session.ts';
import { dragItem, lifted } from './board-drag.ts';

export interface TileProps {
  readonly item: RawItem;
  /** The ids beside it, in order, for choosing a stretch of them. */
  readonly beside: () => readonly string[];
}

/** A card. */
export function BoardTile({ item, beside }: TileProps) {
  const chosen = isItemSelected(selection.value, item.id);
  const held = lifted.value;
  const inAir = held?.ids.includes(item.id) === true;
  const name = item.name ?? item.id;
  return (
    <li
      role="option"
      id={`tile-${item.id}`}
      data-item={item.id}
      class={`tile ${chosen ? 'sel' : ''} ${inAir ? (held.by === 'keys' ? 'held' : 'slot') : ''}`}
      aria-selected={chosen}
      aria-label={name}
      tabIndex={-1}
      onPointerDown={(event) => dragItem(event, item.id)}
      onClick={(event) => {
        selection.value = chosenBy(event, item.id, beside());
      }}
    >
      <ItemPicture item={item} />
      <span aria-hidden="true">{name}</span>
    </li>
  );
}

/** The picture of an item, or its name where there is none to be shown. */
export function ItemPicture({ item }: { readonly item: RawItem }) {
  const media = item.file_field === undefined ? undefined : project.value.studio.media[item.file_field];
  const url = media === undefined ? null : thumbUrl(media.hash, media.kind).value;
  const isComing = project.value.studio.coming?.[item.file_field ?? ''] !== undefined;
  if (url === null) return <b class={`no-picture ${isComing ? 'coming' : ''}`}>{(item.name ?? item.id).slice(0, 2)}</b>;
  return <img src={url} alt="" draggable={false} loading="lazy" decoding="async" />;
}

/** A click chooses one, with Control one more or less, with Shift all up to there. */
export function chosenBy(event: MouseEvent, id: string, beside: readonly string[]): Selection {
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
