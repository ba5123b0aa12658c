import { current, type Draft, isDraft } from 'immer';
import type { EffectName } from '../../timeline/choices.ts';
import type { RawItem, RawRow } from '../../timeline/document-schemas.ts';
import { freeId } from '../../timeline/free-id.ts';
import { followBoard } from './automatic-reveals.ts';
import type { Project } from './project.ts';
import { nextRow, ROW_PRESETS } from './row-presets.ts';

type ProjectDraft = Draft<Project>;

/** The target of an item: a row or the pool (null), and the index there. */
export interface Place {
  readonly row: string | null;
  readonly index: number;
}

/** The row of an item; null if it is not ranked. An item in two rows counts for the first. (C22) */
export function rowOfItem({ tier_list: { rows } }: Project, id: string): RawRow | null {
  return rows.find(({ item_ids = [] }) => item_ids.includes(id)) ?? null;
}

/** The items of a row or of the pool, in order. Unknown ids are skipped. */
export function itemsIn({ tier_list }: Project, rowId: string | null): readonly RawItem[] {
  return itemsOf(tier_list, rowId);
}

export function itemsOf({ rows, items }: Project['tier_list'], rowId: string | null): readonly RawItem[] {
  if (rowId === null) {
    const ranked = new Set(rows.flatMap(({ item_ids = [] }) => item_ids));
    return items.filter(({ id }) => !ranked.has(id));
  }
  const byId = new Map(items.map((item) => [item.id, item]));
  const ids = rows.find(({ id }) => id === rowId)?.item_ids ?? [];
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/**
 * Places items next to each other in a row or the pool. `index` does not count the items that move, so it means the same wherever they
 * come from.
 */
export function placeItems(draft: ProjectDraft, ids: readonly string[], { row, index }: Place): void {
  followBoard(draft, () => {
    const { tier_list } = draft;
    const moving = new Set(ids);
    for (const each of tier_list.rows) {
      if (each.item_ids?.some((id) => moving.has(id))) each.item_ids = each.item_ids.filter((id) => !moving.has(id));
    }
    if (row !== null) {
      const target = tier_list.rows.find(({ id }) => id === row);
      if (target === undefined) return;
      target.item_ids ??= [];
      target.item_ids.splice(index, 0, ...ids);
      return;
    }
    // The pool has no list of its own: its order is that of the items. They are read without a draft, since none of them changes.
    const items = isDraft(tier_list.items) ? current(tier_list.items) : tier_list.items;
    const next = itemsOf({ ...tier_list, items }, null).filter(({ id }) => !moving.has(id))[index];
    const moved = ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
    const others = items.filter(({ id }) => !moving.has(id));
    const at = next === undefined ? others.length : others.findIndex(({ id }) => id === next.id);
    const order = [...others.slice(0, at), ...moved, ...others.slice(at)];
    if (order.some((item, i) => item !== items[i])) tier_list.items = order;
  });
}

export function changeItem(draft: ProjectDraft, id: string, change: (item: Draft<RawItem>) => void): void {
  const item = draft.tier_list.items.find((each) => each.id === id);
  if (item !== undefined) change(item);
}

/** Removes items and their reveals. Their pictures stay in the media. */
export function removeItems(draft: ProjectDraft, ids: readonly string[]): void {
  followBoard(draft, () => {
    const gone = new Set(ids);
    const { tier_list, timeline_data } = draft;
    tier_list.items = tier_list.items.filter(({ id }) => !gone.has(id));
    for (const row of tier_list.rows) row.item_ids = (row.item_ids ?? []).filter((id) => !gone.has(id));
    timeline_data.tier_tiles = timeline_data.tier_tiles.filter(({ tier_item_id }) => !gone.has(tier_item_id));
  });
}

/** Appends a row with the next letter or number. @returns its id. */
export function addRow(draft: ProjectDraft): string {
  const { rows } = draft.tier_list;
  const { label, color } = nextRow(rows.map((row) => row.label ?? row.id));
  const id = freeId(label.toLowerCase(), new Set(rows.map((row) => row.id)));
  rows.push({ id, label, color, item_ids: [] });
  return id;
}

/** Removes a row; its items go back to the pool. */
export function removeRow(draft: ProjectDraft, id: string): void {
  removeRows(draft, new Set([id]));
}

function removeRows(draft: ProjectDraft, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  followBoard(draft, () => {
    draft.tier_list.rows = draft.tier_list.rows.filter(({ id }) => !ids.has(id));
  });
  for (const id of ids) changeEffect(draft, id, undefined);
}

export function changeRow(draft: ProjectDraft, id: string, change: (row: Draft<RawRow>) => void): void {
  const row = draft.tier_list.rows.find((each) => each.id === id);
  if (row !== undefined) change(row);
}

/** Sets the effect of a landing in a row; undefined removes it. */
export function changeEffect(draft: ProjectDraft, row: string, effect: EffectName | undefined): void {
  const effects: Record<string, EffectName> = { ...draft.settings.effects };
  if (effect === undefined) delete effects[row];
  else effects[row] = effect;
  if (Object.keys(effects).length > 0) draft.settings.effects = effects;
  else delete draft.settings.effects;
}

/** Moves a row to an index among the others. */
export function moveRow(draft: ProjectDraft, id: string, to: number): void {
  followBoard(draft, () => {
    const { rows } = draft.tier_list;
    const from = rows.findIndex((row) => row.id === id);
    const place = Math.max(0, Math.min(to, rows.length - 1));
    if (from < 0 || from === place) return;
    const [row] = rows.splice(from, 1);
    rows.splice(place, 0, row!);
  });
}

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
