import { useEffect, useRef } from 'preact/hooks';
import { mediaOf } from '../document/project.ts';
import { Thumb } from '../media/thumb.tsx';
import { project } from '../session/session.ts';
import { carried } from './carry-file.ts';
import { isOverTarget } from './drop-target.ts';
import { lifted, onGhostMove } from './item-drag.ts';
import { ItemPicture } from './item-picture.tsx';

/** The picture under the pointer during a drag of items or a file. */
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
    <div ref={element} class="ghost" data-landing={isOverTarget.value} aria-hidden="true">
      {item === undefined ? <Thumb entry={file!} /> : <ItemPicture item={item} />}
      <span>{item?.name ?? file?.name}</span>
      {held !== null && held.ids.length > 1 && <em>{held.ids.length}</em>}
    </div>
  );
}
