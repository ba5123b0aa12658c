import { signal } from '@preact/signals';
import { itemsIn } from '../document/board-commands.ts';
import { project, readOnly, selection } from '../session/session.ts';

/** The item whose name is being edited on its card; null if none. */
export const renaming = signal<string | null>(null);

export function startRenaming(id: string): void {
  if (readOnly.value) return;
  selection.value = { kind: 'items', ids: [id] };
  renaming.value = id;
}

/** The next or previous item in board order; null if there is none. */
export function itemBeside(id: string, by: 1 | -1): string | null {
  const order = [...project.value.tier_list.rows.map((row) => row.id), null].flatMap((row) =>
    itemsIn(project.value, row).map((item) => item.id),
  );
  return order[order.indexOf(id) + by] ?? null;
}
