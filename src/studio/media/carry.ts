import { signal } from '@preact/signals';
import { dragItem, moveGhost } from '../board/board-drag.ts';
import { beginGesture, type RunningGesture, selection } from '../session.ts';
import { drawer } from '../shell/drawers.tsx';
import { trackDrag } from '../shell/track-drag.ts';
import { dropAt, endDrop } from '../timeline/act/drop-media.ts';

/** The file under the pointer, on its way from the media to the timeline. */
export const carried = signal<{ readonly field: string } | null>(null);

/** Follows a pointer that went down on a file: a picture goes to the board or the timeline, all else to the timeline. */
export function carryFile(event: PointerEvent, field: string, itemId: string | null): void {
  if (itemId !== null) {
    const elsewhere = (at: { x: number; y: number }, moved: PointerEvent) => dropAt(at, field, itemId, moved);
    dragItem(event, itemId, { over: elsewhere, start: closeDrawer, end: endDrop });
    return;
  }
  let gesture: RunningGesture | null = null;
  const finish = () => {
    carried.value = null;
    endDrop();
  };
  trackDrag(event, {
    start() {
      closeDrawer();
      selection.value = { kind: 'media', field };
      gesture = beginGesture();
      carried.value = { field };
      return true;
    },
    move(at, moved) {
      moveGhost(at);
      const drop = dropAt(at, field, null, moved);
      if (drop === null) gesture?.change('', () => {});
      else gesture?.change(drop.label, drop.recipe);
    },
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
