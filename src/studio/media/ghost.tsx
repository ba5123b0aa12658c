import { useEffect, useRef } from 'preact/hooks';
import { lifted, onGhostMove } from '../board/board-drag.ts';
import { ItemPicture } from '../board/board-tile.tsx';
import { mediaOf } from '../document/project.ts';
import { project } from '../session.ts';
import { isDragging } from '../timeline/act/timeline-model.ts';
import { Thumb } from './bin.tsx';
import { carried } from './carry.ts';

/** What hangs under the pointer: items, or a file. */
export function Ghost() {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    onGhostMove(({ x, y }) => element.current?.style.setProperty('translate', `${x}px ${y}px`));
    return () => onGhostMove(null);
  }, []);
  const held = lifted.value?.by === 'pointer' ? lifted.value : null;
  const item = held === null ? undefined : project.value.tier_list.items.find(({ id }) => id === held.ids[0]);
  const file = carried.value === null ? undefined : mediaOf(project.value, carried.value.field);
  if (item === undefined && file === undefined) return null;
  return (
    <div ref={element} class="ghost" data-landing={isDragging.value} aria-hidden="true">
      {item === undefined ? <Thumb entry={file!} /> : <ItemPicture item={item} />}
      <span>{item?.name ?? file?.name}</span>
      {held !== null && held.ids.length > 1 && <em>{held.ids.length}</em>}
    </div>
  );
}
