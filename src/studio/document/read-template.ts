import { FIELDS } from '../../timeline/fields.ts';
import { freeId } from '../../timeline/free-id.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { isObject } from '../../timeline/json/json-object.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { LANE_NAMES } from '../../timeline/lanes.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { checkedValues, filledProject, readProject } from '../../timeline/project/fill-project.ts';
import { type Slots, slotsOf } from '../../timeline/project/placeholders.ts';
import type { MediaPlace } from '../../timeline/project/project-media.ts';
import { readFields, type TemplateField } from '../../timeline/project/template-fields.ts';
import type { Template } from './project.ts';

type Json = Readonly<Record<string, unknown>>;

/** A project file with the defaults of its fields where these are no text, and what makes it a template. */
interface ReadTemplate {
  readonly json: Json;
  readonly template: Omit<Template, 'auto'>;
}

/** The members that are texts: a placeholder stays in them. */
const TEXTS: ReadonlySet<string> = new Set([
  'title',
  ...Object.values(FIELDS).flatMap((rows) =>
    Object.entries(rows).flatMap(([name, { type }]) => (type === 'text' ? [name] : [])),
  ),
]);

/**
 * Takes the fields out of a project file; null: it is no template. Wrong fields go to `issues` and are left out.
 */
export function readTemplate(sent: Json, limits: TimelineLimits, issues: IssueList): ReadTemplate | null {
  const { studio } = sent;
  const unused = isObject(studio) && isObject(studio.unused_fields) ? studio.unused_fields : {};
  const declared = { ...(isObject(sent.fields) ? sent.fields : {}), ...unused };
  if (Object.keys(declared).length === 0) return null;
  const fields = readFields(declared, issues) ?? new Map<string, TemplateField>();
  const json = withItems(withEntryIds(sent), limits);
  const bound: Record<string, string> = {};
  const documents = Object.fromEntries(
    ['tier_list', 'timeline_data', 'settings'].flatMap((name) => {
      if (!Object.hasOwn(json, name)) return [];
      const slots = slotsOf(json[name], `/${name}`, { isFile: () => false, onUnclosed: () => {} });
      return [[name, withDefaults(json[name], slots, { place: `/${name}`, key: name }, fields, bound)]];
    }),
  );
  const kept = [...fields.values()].map((field) => {
    return field.type === 'media' || field.type === 'items' ? { ...field, default: undefined } : field;
  });
  const episode = isObject(studio) ? studio.episode : undefined;
  return {
    json: { ...json, ...documents, media: withFiles(json.media, fields) },
    template: {
      ...(typeof sent.name === 'string' && { name: sent.name.slice(0, limits.maxTextLength) }),
      fields: kept,
      bound,
      ...(isObject(episode) && { episode: { of: String(episode.of), name: String(episode.name) } }),
    },
  };
}

/** Entries get ids, so that a place can name them. */
function withEntryIds(json: Json): Json {
  const { timeline_data: timeline } = json;
  if (!isObject(timeline)) return json;
  const lanes = LANE_NAMES.flatMap((lane) => {
    const entries = timeline[lane];
    if (!Array.isArray(entries)) return [];
    const taken = new Set(entries.flatMap((entry) => (typeof entry?.id === 'string' ? [entry.id] : [])));
    return [
      [
        lane,
        entries.map((entry) => {
          return isObject(entry) && entry.id === undefined ? { ...entry, id: freeId(lane, taken) } : entry;
        }),
      ],
    ];
  });
  return { ...json, timeline_data: { ...timeline, ...Object.fromEntries(lanes) } };
}

/** The default of a field for items becomes the items of the tier list. */
function withItems(json: Json, limits: TimelineLimits): Json {
  const read = readProject(json, new IssueList(), { files: true, limits });
  const { items, media } = checkedValues(read, {}, '', new IssueList());
  if (items.size === 0) return json;
  const plain = new Map<string, string | number>();
  const { documents, media: all } = filledProject({ ...read, slots: new Map() }, { plain, media, items });
  return {
    ...json,
    ...documents,
    media: Object.fromEntries([...all].map(([field, place]) => [field, written(place)])),
  };
}

function written(place: MediaPlace): string {
  if (place.kind === 'stored') return `sha256:${place.sha256}`;
  return place.kind === 'web' ? place.url : place.file;
}

/** The default of a field for media is the file of its name. */
function withFiles(media: unknown, fields: ReadonlyMap<string, TemplateField>): Json {
  const defaults = [...fields.values()].flatMap(({ name, type, default: usual }) => {
    return type === 'media' && typeof usual === 'string' ? [[name, usual]] : [];
  });
  return { ...Object.fromEntries(defaults), ...(isObject(media) ? media : {}) };
}

/** The value with the defaults of fields that stand for something else than text. */
function withDefaults(
  value: unknown,
  slots: Slots | null,
  at: { readonly place: string; readonly key: string },
  fields: ReadonlyMap<string, TemplateField>,
  bound: Record<string, string>,
): unknown {
  if (slots === null || slots.kind === 'file') return value;
  if (slots.kind === 'text') {
    const [only, ...more] = slots.pieces;
    if (more.length > 0 || typeof only !== 'object' || TEXTS.has(at.key)) return value;
    const field = fields.get(only.field);
    if (field === undefined) return value;
    bound[at.place] = field.name;
    return field.default ?? (field.type === 'number' ? (field.min ?? 1) : undefined);
  }
  const inner = (member: unknown, key: string, name: string) => {
    return withDefaults(member, slots.members.get(key) ?? null, { place: pointer(at.place, name), key }, fields, bound);
  };
  if (Array.isArray(value)) return value.map((one, i) => inner(one, String(i), String(one?.id ?? i)));
  return Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, inner(member, key, key)]));
}
