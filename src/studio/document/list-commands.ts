import { type Draft, original } from 'immer';
import { freeId } from '../../timeline/free-id.ts';
import { namedFields } from './add-files.ts';
import { followBoard } from './automatic-reveals.ts';
import type { Project } from './project.ts';
import { filled } from './template.ts';

/** An item of a list; unknown fields are empty. */
export interface ListedItem {
  readonly name: string;
  /** The label of a row. */
  readonly row: string;
  readonly score: string;
  /** The name of a file in the project. */
  readonly picture: string;
}

const COLUMNS = ['name', 'row', 'score', 'picture'] as const;
const LONGEST_NAME = 200;
/** Bullets and numbers before the names of a list. */
const BULLET = /^\s*(?:[-*•–]\s+|\d+[.)]\s+)?/;

/** Reads a table with a column `name`, separated by commas, semicolons or tabs, or else one name a line. */
export function readList(text: string): readonly ListedItem[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const separator = [',', ';', '\t'].find((each) => cells(lines[0] ?? '', each).includes('name'));
  const head = cells(lines[0] ?? '', separator ?? '');
  const isTable = separator !== undefined || head[0] === 'name';
  const read = isTable
    ? lines.slice(1).map((line) => {
        const values = cells(line, separator ?? '', false);
        const at = (column: string) => values[head.indexOf(column)] ?? '';
        return Object.fromEntries(COLUMNS.map((column) => [column, at(column)])) as unknown as ListedItem;
      })
    : lines.map((line) => ({ name: line.replace(BULLET, '').trim(), row: '', score: '', picture: '' }));
  return read.filter(({ name }) => name !== '').map((item) => ({ ...item, name: item.name.slice(0, LONGEST_NAME) }));
}

/** Splits a line into cells. A quoted cell may contain the separator, and a doubled quote for a quote. */
function cells(line: string, separator: string, isHead = true): string[] {
  if (separator === '') return [isHead ? line.trim().toLowerCase() : line.trim()];
  const found = line.matchAll(new RegExp(`(?:^|${separator})(?:"((?:[^"]|"")*)"|([^${separator}]*))`, 'g'));
  return [...found].map(([, quoted, plain = '']) => {
    const cell = (quoted?.replaceAll('""', '"') ?? plain).trim();
    return isHead ? cell.toLowerCase() : cell;
  });
}

/** Adds an item for each entry, in its row or in the pool. Missing rows are created. */
export function addListed(draft: Draft<Project>, listed: readonly ListedItem[]): void {
  // A label may be a field: a list names its value.
  const labels = new Map(
    filled((original(draft) ?? draft) as Project).tier_list.rows.map(({ id, label = id }) => [id, label.toLowerCase()]),
  );
  followBoard(draft, () => {
    const { items, rows } = draft.tier_list;
    const itemIds = new Set(items.map(({ id }) => id));
    const rowIds = new Set(rows.map(({ id }) => id));
    const fieldsNamed = namedFields(draft as Project);
    for (const { name, row: label, score, picture } of listed) {
      const id = freeId(idOf(name, 'item'), itemIds);
      const [field] = picture === '' ? [] : fieldsNamed(picture);
      items.push({ id, name, ...(score !== '' && { score }), ...(field !== undefined && { file_field: field }) });
      if (label === '') continue;
      const labelled = label.toLowerCase();
      let row = rows.find((each) => (labels.get(each.id) ?? each.label ?? each.id).toLowerCase() === labelled);
      if (row === undefined) {
        row = { id: freeId(idOf(label, 'row'), rowIds), label, color: '#c9c5d3', item_ids: [] };
        rows.push(row);
      }
      row.item_ids = [...(row.item_ids ?? []), id];
    }
  });
}

function idOf(name: string, other: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (
    plain
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 60) || other
  );
}
