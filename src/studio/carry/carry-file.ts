import { signal } from '@preact/signals';
import { openMenu } from '../kit/context-menu.ts';
import { startDrag } from '../kit/drag-session.ts';
import { drawer } from '../kit/drawers.tsx';
import { beginGesture, type RunningGesture, selection } from '../session/session.ts';
import { type CarriedFile, dropUnder, leaveTargets } from './drop-target.ts';
import { dragItem, moveGhost } from './item-drag.ts';

/** The file under the pointer, on its way from the media to the timeline. */
export const carried = signal<CarriedFile | null>(null);

/** Follows a pointer that went down on a file: a picture goes to the board or the timeline, all else to the timeline. */
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

/** Where the media lie over the rest, they make room for where things go. */
function closeDrawer(): void {
  drawer.value = null;
}
