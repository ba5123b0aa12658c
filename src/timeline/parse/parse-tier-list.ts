import type { RawItem, RawRow } from '../document-schemas.ts';
import type { Camera, TierItem, TierList, TierRow } from '../export-request.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';
import { filled } from '../read-fields.ts';
import { ITEM_BASICS, TIER_LIST_FIELDS } from '../tier-list-fields.ts';
import { warnUnknown } from './check-schema.ts';
import type { ParseContext } from './parse-context.ts';
import { type CheckedEntry, parseLane } from './parse-lane.ts';

const FIELDS = new Set(['title', 'rows', 'items']);

/** A tier list, and the names of its items in other documents. */
export interface ParsedTierList {
  readonly tierList: TierList;
  /** Whether a tier list was sent. */
  readonly isThere: boolean;
  /** Index by id. */
  readonly itemsById: ReadonlyMap<string, number>;
  /** Ids of entries that have errors: mentions of them are not further errors. */
  readonly brokenItemIds: ReadonlySet<string>;
  readonly brokenRowIds: ReadonlySet<string>;
}

/** Reads the tier list; reports invalid parts and leaves them out. */
export function parseTierList(
  value: unknown,
  path: string,
  context: Pick<ParseContext, 'schemas' | 'limits' | 'media' | 'known' | 'issues'>,
): ParsedTierList {
  const { schemas, limits, media, issues } = context;
  const document = isObject(value) ? value : {};
  if (value !== undefined && !isObject(value)) {
    issues.error(path, 'field.type', `tier_list must be an object, not ${shownValue(value)}.`);
  }
  warnUnknown(document, FIELDS, path, issues);

  const lane = { name: 'items', value: document.items, path: pointer(path, 'items'), max: limits.maxItems };
  const checkedItems = parseLane(schemas.item, lane, context);
  const items = checkedItems.map(
    ({ path: itemPath, id, sent, value }): TierItem => ({
      path: itemPath,
      ...filled(ITEM_BASICS, value),
      id,
      name: value.name ?? id,
      media: value.file_field === undefined ? null : media.refer(value.file_field, sent, itemPath),
      view: viewOf(value),
    }),
  );
  const itemsById = new Map(items.map(({ id }, index) => [id, index]));
  const brokenItemIds = new Set(sentIds(document.items).filter((id) => !itemsById.has(id)));

  const rowLane = { name: 'rows', value: document.rows, path: pointer(path, 'rows'), max: limits.maxRows };
  const rowOf = new Map<number, string>();
  const rows = parseLane(schemas.row, rowLane, context).map((row): TierRow => {
    return {
      path: row.path,
      id: row.id,
      label: row.value.label ?? row.id,
      color: row.value.color?.toLowerCase() ?? null,
      items: placeItems(row, { itemsById, brokenItemIds, rowOf }, context),
    };
  });
  const tierList = { title: parseTitle(document.title, path, context), rows, items };
  const rowIds = new Set(rows.map(({ id }) => id));
  const brokenRowIds = new Set(sentIds(document.rows).filter((id) => !rowIds.has(id)));
  return { tierList, isThere: value !== undefined, itemsById, brokenItemIds, brokenRowIds };
}

/** A view with default values is the same as none. (R35) */
function viewOf(item: RawItem): Camera | null {
  const { imageFocus: focus, item: rows } = TIER_LIST_FIELDS;
  const { x, y } = filled(focus, item.image_focus ?? {});
  const scale = item.image_zoom ?? rows.image_zoom.default;
  const isUsual = x === focus.x.default && y === focus.y.default && scale === rows.image_zoom.default;
  return isUsual ? null : { x, y, scale };
}

/** An item belongs to the row that names it first; a second mention is dropped with a warning. (C22) */
function placeItems(
  row: CheckedEntry<RawRow>,
  known: Pick<ParsedTierList, 'itemsById' | 'brokenItemIds'> & { rowOf: Map<number, string> },
  { issues }: Pick<ParseContext, 'issues'>,
): number[] {
  const placed: number[] = [];
  for (const [index, id] of (row.value.item_ids ?? []).entries()) {
    const place = pointer(row.path, 'item_ids', index);
    const item = known.itemsById.get(id);
    if (item === undefined) {
      if (!known.brokenItemIds.has(id)) {
        issues.error(place, 'item.unknown', unknownItem(id, known, issues));
      }
      continue;
    }
    const earlier = known.rowOf.get(item);
    if (earlier !== undefined) {
      issues.warn(
        place,
        'item.placed_twice',
        `The item ${shownText(id)} already stands in ${earlier}; the first counts.`,
      );
      continue;
    }
    known.rowOf.set(item, row.path);
    placed.push(item);
  }
  return placed;
}

/** The message for an id that no item has. */
export function unknownItem(
  id: string,
  { itemsById }: Pick<ParsedTierList, 'itemsById'>,
  issues: ParseContext['issues'],
): string {
  return `No item of tier_list.items has the id ${shownText(id)}.${issues.hintOrNames(id, [...itemsById.keys()])}`;
}

/** The index of the row with that id; -1 if there is none, which is reported at `path`. */
export function findRow(
  id: string,
  path: string,
  { tierList, isThere, brokenRowIds }: ParsedTierList,
  issues: ParseContext['issues'],
): number {
  const ids = tierList.rows.map((row) => row.id);
  const row = ids.indexOf(id);
  if (row < 0 && isThere && !brokenRowIds.has(id)) {
    const message = `No row of tier_list.rows has the id ${shownText(id)}.`;
    issues.error(path, 'row.unknown', message + issues.hintOrNames(id, ids));
  }
  return row;
}

function parseTitle(
  value: unknown,
  path: string,
  { schemas, issues }: Pick<ParseContext, 'schemas' | 'issues'>,
): string {
  if (value === undefined) return '';
  const checked = schemas.title.safeParse(value);
  if (checked.success) return checked.data;
  const message = `title must be ${checked.error.issues[0]?.message}, not ${shownValue(value)}.`;
  issues.error(pointer(path, 'title'), typeof value === 'string' ? 'field.range' : 'field.type', message);
  return '';
}

function sentIds(entries: unknown): string[] {
  if (!Array.isArray(entries)) return [];
  return entries.map((entry) => (isObject(entry) ? entry.id : undefined)).filter((id) => typeof id === 'string');
}
