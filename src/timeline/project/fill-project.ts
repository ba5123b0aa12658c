import { ExportError, type Issue } from '../../errors.ts';
import { freeId } from '../free-id.ts';
import { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';
import { DEFAULT_TIMELINE_LIMITS, type TimelineLimits } from '../limits.ts';
import { filledWith, type Slots, slotsOf, textsIn } from './placeholders.ts';
import { type MediaPlace, type PlaceRules, readMedia } from './project-media.ts';
import { readFields, type TemplateField } from './template-fields.ts';
import { type CheckedValues, checkDefaults, checkValues, type ItemValue, type ValueRules } from './template-values.ts';

/** The documents that are filled in. */
const DOCUMENTS = ['tier_list', 'timeline_data', 'settings'] as const;

/** The three documents, as they were written or filled in. */
type ProjectDocuments = { readonly [Name in (typeof DOCUMENTS)[number]]?: unknown };

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** What becomes an export: documents without placeholders, and the place of every medium. */
interface FilledProject {
  readonly documents: ProjectDocuments;
  /** By file field. */
  readonly media: ReadonlyMap<string, MediaPlace>;
  readonly warnings: readonly Issue[];
}

/** A project, read once; it may be filled in many times. (C82, C83) */
export interface Project {
  readonly documents: ProjectDocuments;
  readonly media: ReadonlyMap<string, MediaPlace>;
  /** By name, in order; empty if the project is no template. */
  readonly fields: ReadonlyMap<string, TemplateField>;
  /** What is filled in, by document. */
  readonly slots: ReadonlyMap<string, Slots>;
  /** How often each field stands in a text. */
  readonly uses: ReadonlyMap<string, number>;
  readonly rules: ValueRules;
}

/** What is allowed besides the rules of documents. */
interface ProjectRules extends PlaceRules {
  readonly limits: TimelineLimits;
}

const SERVICE_RULES: ProjectRules = { files: false, limits: DEFAULT_TIMELINE_LIMITS };

/** The most characters that all values put into the documents: many placeholders times a long text. */
const MAX_FILLED = 8 * 2 ** 20;

/**
 * Reads a project; everything that is wrong with its media, fields and placeholders goes to `issues`. The documents
 * themselves are checked by the parser of a request.
 */
export function readProject(
  sent: Readonly<Record<string, unknown>>,
  issues: IssueList,
  { limits, files }: ProjectRules = SERVICE_RULES,
): Project {
  const documents = Object.fromEntries(
    DOCUMENTS.flatMap((name) => (Object.hasOwn(sent, name) ? [[name, sent[name]]] : [])),
  ) as ProjectDocuments;
  const media = readMedia(sent, { files }, issues);
  const read = readFields(Object.hasOwn(sent, 'fields') ? sent.fields : undefined, issues);
  const fields = read ?? new Map<string, TemplateField>();
  const slots = new Map<string, Slots>();
  const listWith = (plain: CheckedValues['plain']) =>
    filledWith(documents.tier_list, slots.get('tier_list') ?? null, plain, -1);
  const rules = { limits, files, rows: (plain: CheckedValues['plain']) => rowsOf(listWith(plain)) };
  const uses = new Map<string, number>();
  // Texts of a project without fields are what they are.
  if (read !== null) {
    const finder = {
      isFile: (text: string) => fields.get(text)?.type === 'media',
      onUnclosed: (path: string) => {
        const message = 'The placeholder has no end: write {{name}}, or \\{{ for two braces.';
        issues.error(path, 'template.placeholder', message);
      },
    };
    for (const name of DOCUMENTS) {
      const found = slotsOf(documents[name], pointer('', name), finder);
      if (found !== null) slots.set(name, found);
    }
    const declared = isObject(sent.fields) ? sent.fields : {};
    for (const found of slots.values()) countUses(found, fields, declared, uses, issues);
    for (const { name, type } of fields.values()) {
      if (type === 'items' || uses.has(name)) continue;
      const place = type === 'media' ? 'file_field' : `text as {{${name}}}`;
      const message = `The field ${shownText(name)} is not used: no ${place} of the documents names it.`;
      issues.error(pointer('/fields', name), 'template.unused_field', message);
    }
    for (const { name, type, default: usual } of fields.values()) {
      if (type !== 'media' || usual === undefined || !media.has(name)) continue;
      const message = `The field ${shownText(name)} has a default and is also in ${media.get(name)!.path}.`;
      issues.error(pointer('/fields', name, 'default'), 'reference.repeated', message);
    }
    checkDefaults(fields, rules, issues);
  }
  return { documents, media, fields, slots, uses, rules };
}

/** @param declared as they were sent: a field that is wrong has its own error. */
function countUses(
  slots: Slots,
  fields: Project['fields'],
  declared: Readonly<Record<string, unknown>>,
  uses: Map<string, number>,
  issues: IssueList,
): void {
  const count = (name: string) => uses.set(name, (uses.get(name) ?? 0) + 1);
  for (const text of textsIn(slots)) {
    if (text.kind === 'file') {
      count(text.field);
      continue;
    }
    for (const piece of text.pieces) {
      if (typeof piece === 'string') continue;
      const type = fields.get(piece.field)?.type;
      if (type !== undefined && type !== 'media' && type !== 'items') count(piece.field);
      else if (type !== undefined) {
        const use = type === 'media' ? 'the name of the field, as a file_field' : 'the items of the tier list';
        const message = `A field of type ${type} cannot stand in a text; it is used as ${use}.`;
        issues.error(text.path, 'template.placeholder', message);
      } else if (!Object.hasOwn(declared, piece.field)) {
        const hint = fields.size === 0 ? '' : issues.hintOrNames(piece.field, [...fields.keys()]);
        const message = `The template has no field ${shownText(piece.field)}.${hint}`;
        issues.error(text.path, 'template.unknown_field', message);
      }
    }
  }
}

/** Checks values against a project that was read. @param at the place of the values in the request */
export function checkedValues(project: Project, values: unknown, at: string, issues: IssueList): CheckedValues {
  const { fields, media, rules, uses } = project;
  const checked = checkValues(fields, values, at, media, rules, issues);
  let filled = 0;
  for (const [name, value] of checked.plain) filled += (uses.get(name) ?? 0) * String(value).length;
  if (filled > MAX_FILLED) {
    const message = `The values put ${filled} characters into the documents; ${MAX_FILLED} are allowed.`;
    issues.error(at, 'template.too_large', message, 'too_large');
  }
  return checked;
}

/** The documents and media of a project with values that were checked. */
export function filledProject(project: Project, values: CheckedValues): Omit<FilledProject, 'warnings'> {
  const { documents, slots, fields, media: own } = project;
  const media = new Map([...own, ...values.media]);
  const present = new Map<string, unknown>(values.plain);
  for (const name of media.keys()) if (fields.get(name)?.type === 'media') present.set(name, name);
  const filled: Writable<ProjectDocuments> = { ...documents };
  for (const [name, found] of slots) {
    const document = name as keyof ProjectDocuments;
    // timeline_data → lane → entry
    filled[document] = filledWith(documents[document], found, present, name === 'timeline_data' ? 2 : -1);
  }
  for (const [name, items] of values.items) putItems(name, items, filled, media);
  return { documents: filled, media };
}

/** A project and its values become documents and media, or issues. */
export function fillProject(
  project: unknown,
  values: unknown,
  { at = '/values', ...rules }: Partial<ProjectRules> & { readonly at?: string } = {},
): FilledProject | { readonly issues: readonly Issue[] } {
  const issues = new IssueList();
  try {
    if (!isObject(project)) {
      issues.error('', 'field.type', `A project must be an object, not ${shownValue(project)}.`);
      issues.throwIfFailed();
      throw new Error('unreachable');
    }
    const read = readProject(project, issues, { ...SERVICE_RULES, ...rules });
    const checked = checkedValues(read, values, at, issues);
    issues.throwIfFailed();
    return { ...filledProject(read, checked), warnings: issues.warnings };
  } catch (error) {
    if (error instanceof ExportError) return { issues: error.issues };
    throw error;
  }
}

function rowsOf(tierList: unknown): ReturnType<ValueRules['rows']> {
  const rows = isObject(tierList) && Array.isArray(tierList.rows) ? tierList.rows : [];
  return rows.flatMap((row) => {
    if (!isObject(row) || typeof row.id !== 'string') return [];
    return [{ id: row.id, label: typeof row.label === 'string' ? row.label : '' }];
  });
}

/**
 * Puts items in place of those of the tier list. They get the ids of the replaced ones, in order, so that reveals which
 * the timeline has for these stay; reveals of items that are no longer there are left out. (C83)
 */
function putItems(
  field: string,
  items: readonly ItemValue[],
  documents: Writable<ProjectDocuments>,
  media: Map<string, MediaPlace>,
): void {
  const { tier_list: list, timeline_data: timeline } = documents;
  const earlier = isObject(list) && Array.isArray(list.items) ? list.items : [];
  const earlierIds = earlier.flatMap((one) => (isObject(one) && typeof one.id === 'string' ? [one.id] : []));
  const taken = new Set(earlierIds);
  const files = new Set(media.keys());
  const placed = items.map((item, index) => ({ ...item, id: earlierIds[index] ?? freeId(`item-${index + 1}`, taken) }));
  const sent = placed.map(({ id, name, picture, score, note }, index) => {
    const file = picture === null ? null : freeId(`${field}-${index + 1}`, files);
    if (file !== null && picture !== null) media.set(file, picture);
    return { id, name, ...(file !== null && { file_field: file }), ...(score && { score }), ...(note && { note }) };
  });
  const inRow = Map.groupBy(placed, ({ row }) => row);
  const rows = isObject(list) && Array.isArray(list.rows) ? list.rows : [];
  documents.tier_list = {
    ...(isObject(list) ? list : {}),
    rows: rows.map((row) => {
      return isObject(row) ? { ...row, item_ids: (inRow.get(String(row.id)) ?? []).map(({ id }) => id) } : row;
    }),
    items: sent,
  };
  if (isObject(timeline)) documents.timeline_data = withReveals(timeline, placed, new Set(earlierIds));
}

function withReveals(
  timeline: Readonly<Record<string, unknown>>,
  items: readonly { readonly id: string; readonly position: number | null }[],
  earlier: ReadonlySet<string>,
): unknown {
  const positions = new Map(items.map(({ id, position }) => [id, position]));
  const { tier_tiles: tiles = [] } = timeline;
  if (!Array.isArray(tiles)) return timeline;
  const revealed = new Set<string>();
  const kept = tiles.flatMap((tile: unknown) => {
    const id = isObject(tile) ? tile.tier_item_id : undefined;
    if (!isObject(tile) || typeof id !== 'string' || !earlier.has(id)) return [tile];
    if (!positions.has(id)) return [];
    const isFirst = !revealed.has(id);
    revealed.add(id);
    const position = positions.get(id) ?? null;
    return [isFirst && position !== null ? { ...tile, position } : tile];
  });
  const added = items.flatMap(({ id, position }) => {
    return position === null || revealed.has(id) ? [] : [{ tier_item_id: id, position }];
  });
  return kept.length + added.length === 0 ? timeline : { ...timeline, tier_tiles: [...kept, ...added] };
}
