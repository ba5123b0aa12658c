import type { Draft } from 'immer';
import { freeId } from '../../../timeline/free-id.ts';
import type { RawRow } from '../../../timeline/schema.ts';
import { removeRows } from '../board-commands.ts';
import type { Project } from '../project.ts';
import { ROW_PRESETS } from './row-presets.ts';

/**
 * Replaces the rows with those of a preset. Rows keep their items and ids by position, so that references to them stay valid. Items of
 * rows that the preset does not have go back to the pool.
 */
export function applyRowPreset(draft: Draft<Project>, name: string): void {
  const preset = ROW_PRESETS[name]!;
  removeRows(draft, new Set(rowsBeyond(draft.tier_list, name).map(({ id }) => id)));
  const { rows } = draft.tier_list;
  const ids = new Set(rows.map(({ id }) => id));
  for (const [place, { label, color }] of preset.entries()) {
    const row = rows[place];
    if (row !== undefined) Object.assign(row, { label, color });
    else rows.push({ id: freeId(label.toLowerCase(), ids), label, color, item_ids: [] });
  }
}

/** The rows that a preset removes. */
export function rowsBeyond({ rows }: Project['tier_list'], name: string): readonly RawRow[] {
  return rows.slice(ROW_PRESETS[name]!.length);
}
