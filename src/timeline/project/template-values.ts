import { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownNames, shownText, shownValue } from '../json/shown-value.ts';
import type { TimelineLimits } from '../limits.ts';
import { type MediaPlace, type PlaceRules, readPlace } from './project-media.ts';
import type { TemplateField } from './template-fields.ts';

/** An item of a list that is put in. (C83) */
export interface ItemValue {
  readonly name: string;
  /** The id of a row; null: not ranked. */
  readonly row: string | null;
  readonly picture: MediaPlace | null;
  readonly score: string;
  readonly note: string;
  /** The second at which it appears; null: `auto` decides. */
  readonly position: number | null;
}

/** The members of an item that is put in; also columns of a table. */
export const ITEM_MEMBERS = ['name', 'row', 'picture', 'score', 'note', 'position'] as const;
export type ItemMember = (typeof ITEM_MEMBERS)[number];

/** Checked values by field; null counts as no value. A field without one is not in any of the maps. */
export interface CheckedValues {
  readonly plain: ReadonlyMap<string, string | number>;
  readonly media: ReadonlyMap<string, MediaPlace>;
  readonly items: ReadonlyMap<string, readonly ItemValue[]>;
}

/** What values are checked against. */
export interface ValueRules extends PlaceRules {
  readonly limits: TimelineLimits;
  /** The rows of the tier list with the other values put in, for items. */
  readonly rows: (plain: CheckedValues['plain']) => readonly ListRow[];
}

/** A row that an item may be in. */
interface ListRow {
  readonly id: string;
  readonly label: string;
}

const COLOR = /^#[\da-f]{6}$/i;

/**
 * Checks the values of a template. Reports values that are wrong or missing, and values that no field takes.
 *
 * @param at the place of the values in the request.
 * @param given fields that have a medium of their own in the project.
 */
export function checkValues(
  fields: ReadonlyMap<string, TemplateField>,
  sent: unknown,
  at: string,
  given: { has(name: string): boolean },
  rules: ValueRules,
  issues: IssueList,
): CheckedValues {
  const checked = { plain: new Map(), media: new Map(), items: new Map() } satisfies CheckedValues;
  const values = sent === undefined ? {} : sent;
  if (!isObject(values)) {
    issues.error(at, 'field.type', `The values must be an object from field to value, not ${shownValue(values)}.`);
    return checked;
  }
  for (const name of Object.keys(values)) {
    if (fields.has(name)) continue;
    const message = `The template has no field ${shownText(name)}.`;
    const hint = fields.size === 0 ? '' : issues.hintOrNames(name, [...fields.keys()]);
    issues.error(name.length > 128 ? at : pointer(at, name), 'value.unknown', message + hint);
  }
  for (const field of itemsLast(fields)) {
    const { name } = field;
    const own = (Object.hasOwn(values, name) ? values[name] : undefined) ?? undefined;
    if (own !== undefined) readValue(field, own, pointer(at, name), rules, issues, checked);
    // The reader of the project has reported a wrong default.
    else if (field.default !== undefined) readValue(field, field.default, '', rules, new IssueList(), checked);
    else if (field.required && !given.has(name)) {
      issues.error(pointer(at, name), 'value.required', `${shownText(name)} is missing: it must be ${wanted(field)}.`);
    }
  }
  return checked;
}

/** The rows that items name may have labels with other values. */
function itemsLast(fields: ReadonlyMap<string, TemplateField>): readonly TemplateField[] {
  return [...fields.values()].sort((a, b) => Number(a.type === 'items') - Number(b.type === 'items'));
}

/** Checks the default of every field. */
export function checkDefaults(fields: ReadonlyMap<string, TemplateField>, rules: ValueRules, issues: IssueList): void {
  const checked = { plain: new Map(), media: new Map(), items: new Map() };
  for (const field of itemsLast(fields)) {
    if (field.default === undefined) continue;
    readValue(field, field.default, pointer('/fields', field.name, 'default'), rules, issues, checked);
  }
}

interface Sink {
  readonly plain: Map<string, string | number>;
  readonly media: Map<string, MediaPlace>;
  readonly items: Map<string, readonly ItemValue[]>;
}

function readValue(
  field: TemplateField,
  value: unknown,
  path: string,
  rules: ValueRules,
  issues: IssueList,
  { plain, media, items }: Sink,
): void {
  const { name, type, min, max, options } = field;
  const refuse = (code: string, message = `${shownText(name)} must be ${wanted(field)}, not ${shownValue(value)}.`) => {
    issues.error(path, code, message);
  };
  switch (type) {
    case 'text': {
      const longest = Math.min(max ?? rules.limits.maxTextLength, rules.limits.maxTextLength);
      if (typeof value !== 'string') refuse('field.type');
      else if (isLonger(value, longest)) {
        refuse(
          'field.range',
          `${shownText(name)} must be a text of at most ${longest} characters; this one is longer.`,
        );
      } else plain.set(name, value);
      return;
    }
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) refuse('field.type');
      else if (value < (min ?? value) || value > (max ?? value)) refuse('field.range');
      else plain.set(name, value);
      return;
    case 'color':
      if (typeof value !== 'string') refuse('field.type');
      else if (!COLOR.test(value)) refuse('field.format');
      else plain.set(name, value);
      return;
    case 'choice':
      if (typeof value !== 'string') refuse('field.type');
      else if (!options.includes(value)) refuse('field.choice');
      else plain.set(name, value);
      return;
    case 'media': {
      const place = readPlace(value, path, rules, issues);
      if (place !== undefined) media.set(name, place);
      return;
    }
    case 'items':
      if (!Array.isArray(value)) refuse('field.type');
      else if (value.length > Math.min(max ?? rules.limits.maxItems, rules.limits.maxItems)) refuse('field.range');
      else {
        const rows = rules.rows(plain);
        items.set(
          name,
          value.flatMap((one, index) => readItem(one, pointer(path, index), rules, rows, issues) ?? []),
        );
      }
      return;
  }
}

/** What a field takes, in the words of messages. */
function wanted({ type, min, max, options, kind }: TemplateField): string {
  switch (type) {
    case 'text':
      return max === null ? 'a text' : `a text of at most ${max} characters`;
    case 'number':
      if (min !== null && max !== null) return `a number from ${min} to ${max}`;
      return min === null ? (max === null ? 'a number' : `a number of at most ${max}`) : `a number of at least ${min}`;
    case 'color':
      return 'a colour of the form "#rrggbb"';
    case 'choice':
      return `one of ${shownNames(options)}`;
    case 'media':
      return `the place of a ${kind ?? 'medium'}`;
    case 'items':
      return max === null ? 'a list of items' : `a list of at most ${max} items`;
  }
}

/** Counts characters, not more than needed. */
function isLonger(text: string, longest: number): boolean {
  if (text.length <= longest) return false;
  return text.length > 2 * longest || [...text].length > longest;
}

function readItem(
  value: unknown,
  path: string,
  rules: ValueRules,
  rows: readonly ListRow[],
  issues: IssueList,
): ItemValue | null {
  if (!isObject(value)) {
    issues.error(path, 'field.type', `An item must be an object with a name, not ${shownValue(value)}.`);
    return null;
  }
  for (const key of Object.keys(value)) {
    if (ITEM_MEMBERS.some((member) => member === key)) continue;
    const message = `${shownText(key)} is an unknown member of an item and is ignored.`;
    issues.warn(
      path,
      'field.unknown',
      message + (issues.hint(key, ITEM_MEMBERS) || ` Known: ${ITEM_MEMBERS.join(', ')}.`),
    );
  }
  const textOf = (member: 'name' | 'score' | 'note'): string => {
    const found = value[member] ?? '';
    // A table has scores as numbers.
    if (member === 'score' && typeof found === 'number' && Number.isFinite(found)) return String(found);
    if (typeof found === 'string' && !isLonger(found, rules.limits.maxTextLength)) return found;
    const code = typeof found === 'string' ? 'field.range' : 'field.type';
    const allowed = `a text of at most ${rules.limits.maxTextLength} characters`;
    issues.error(pointer(path, member), code, `${member} must be ${allowed}, not ${shownValue(found)}.`);
    return '';
  };
  const { picture, position } = value;
  if (value.name === undefined || value.name === null || value.name === '') {
    issues.error(path, 'field.required', '"name" is missing: it must be the name of the item.');
  }
  const isTime = typeof position === 'number' && position >= 0 && position <= rules.limits.maxTimelineSeconds;
  if (!isTime && position !== undefined && position !== null) {
    const allowed = `a number of seconds from 0 to ${rules.limits.maxTimelineSeconds}`;
    const code = typeof position === 'number' ? 'field.range' : 'field.type';
    issues.error(pointer(path, 'position'), code, `position must be ${allowed}, not ${shownValue(position)}.`);
  }
  const isThere = picture !== undefined && picture !== null && picture !== '';
  return {
    name: textOf('name'),
    row: readRow(value.row, pointer(path, 'row'), rows, issues),
    picture: (isThere && readPlace(picture, pointer(path, 'picture'), rules, issues)) || null,
    score: textOf('score'),
    note: textOf('note'),
    position: isTime ? position : null,
  };
}

/** A row by its id, else by its label. */
function readRow(sent: unknown, path: string, rows: readonly ListRow[], issues: IssueList): string | null {
  if (sent === undefined || sent === null || sent === '') return null;
  if (typeof sent === 'string') {
    const found = rows.find(({ id }) => id === sent) ?? rows.find(({ label }) => label === sent);
    if (found !== undefined) return found.id;
    const names = rows.map(({ id, label }) => (label === '' ? id : label));
    const hint = names.length === 0 ? ' The tier list has no rows.' : issues.hintOrNames(sent, names);
    issues.error(path, 'row.unknown', `No row of the tier list has the id or label ${shownText(sent)}.${hint}`);
  } else issues.error(path, 'field.type', `row must be the id or label of a row, not ${shownValue(sent)}.`);
  return null;
}
