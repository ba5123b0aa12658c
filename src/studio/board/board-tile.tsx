import { useComputed } from '@preact/signals';
import type { RawItem } from '../../timeline/schema.ts';
import { dragItem, inAir, lifted } from '../carry/item-drag.ts';
import { ItemPicture } from '../carry/item-picture.tsx';
import { renaming, startRenaming } from '../carry/renaming.ts';
import { itemsOf } from '../document/board-commands.ts';
import { isItemSelected, type Selection } from '../document/selection.ts';
import { opensMenu } from '../kit/context-menu.ts';
import { shownLater } from '../kit/later.tsx';
import { selection, tierList } from '../session/session.ts';

const NameField = shownLater(async () => (await import('./name-field.tsx')).NameField);

interface TileProps {
  readonly item: RawItem;
  /** The row that it is in. */
  readonly rowId: string | null;
}

/** A card. Of five hundred, only changed ones are rendered again. */
export function BoardTile({ item, rowId }: TileProps) {
  const chosen = useComputed(() => isItemSelected(selection.value, item.id)).value;
  const held = useComputed(() => (inAir.value.has(item.id) ? (lifted.value?.by ?? null) : null)).value;
  const isRenamed = useComputed(() => renaming.value === item.id).value;
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
      onDblClick={() => startRenaming(item.id)}
      onContextMenu={(event) => {
        if (!isItemSelected(selection.value, item.id)) selection.value = { kind: 'items', ids: [item.id] };
        opensMenu({ kind: 'item', id: item.id })(event);
      }}
      onClick={(event) => {
        const beside = itemsOf(tierList.value, rowId).map(({ id }) => id);
        selection.value = chosenBy(event, item.id, beside);
      }}
    >
      <ItemPicture item={item} />
      {isRenamed ? <NameField item={item} /> : <span aria-hidden="true">{name}</span>}
    </li>
  );
}

/** A click selects one card, with Control toggles it, with Shift selects a range. */
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
