import type { Draft } from 'immer';
import { changeItem } from '../board-commands.ts';
import type { Project } from '../project.ts';

/** Sets focus and zoom of an item's picture; default values are not written. (R35) */
export function changeView(
  draft: Draft<Project>,
  id: string,
  { focus, zoom }: { readonly focus?: { readonly x: number; readonly y: number }; readonly zoom?: number },
): void {
  changeItem(draft, id, (item) => {
    if (focus !== undefined) item.image_focus = focus;
    if (item.image_focus?.x === 50 && item.image_focus.y === 50) delete item.image_focus;
    if (zoom !== undefined) item.image_zoom = zoom;
    if (item.image_zoom === 1) delete item.image_zoom;
  });
}
