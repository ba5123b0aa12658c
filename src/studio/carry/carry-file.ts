import { signal } from '@preact/signals';
import { startDrag } from '../kit/drag-session.ts';
import { drawer } from '../kit/drawers.tsx';
import { openMenu } from '../kit/open-menu.ts';
import { beginGesture, type RunningGesture, selection } from '../session/session.ts';
import { type CarriedFile, dropUnder, leaveTargets } from './drop-target.ts';
import { dragItem, moveGhost } from './item-drag.ts';

/** The file that is dragged from the media. */
export const carried = signal<CarriedFile | null>(null);

/** Tracks a pointer from a press on a file. A picture can be dropped on the board or the timeline, any other file on the timeline. */
export function carryFile(event: PointerEvent, field: string, itemId: string | null): void {
  if (itemId !== null) {
    dragItem(event, itemId, { field, start: closeDrawer });
    return;
  }
  const file: CarriedFile = { field, itemId };
  let gesture: RunningGesture | null = null;
  const finish = () => {
    carried.value = null;
    leaveTargets();
  };
  startDrag(event, {
    start() {
      closeDrawer();
      selection.value = { kind: 'media', field };
      gesture = beginGesture();
      carried.value = file;
      return true;
    },
    move(at, moved) {
      moveGhost(at);
      const drop = dropUnder(at, file, moved);
      if (drop === null) gesture?.change('', () => {});
      else gesture?.change(drop.label, drop.recipe);
    },
    press: (at) => openMenu({ kind: 'media', field }, at),
    end() {
      gesture?.end();
      finish();
    },
    cancel() {
      gesture?.cancel();
      finish();
    },
  });
}

/** If the media panel covers the drop targets, it closes. */
function closeDrawer(): void {
  drawer.value = null;
}
