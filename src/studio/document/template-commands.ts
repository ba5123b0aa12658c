import { type Draft, original } from 'immer';
import { freeId } from '../../timeline/free-id.ts';
import { lanesWhere } from '../../timeline/lanes.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { isAutomatic, withAuto } from './automatic-reveals.ts';
import type { Project, Template } from './project.ts';
import { fieldNamed, setDefault } from './settle-template.ts';
import { filled, findPlace } from './template.ts';
import { placeholdersOf } from './template-uses.ts';

type ProjectDraft = Draft<Project>;
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** What a new field is made of: its place, and what its table or its form says about it. */
export interface NewField
  extends Pick<TemplateField, 'type' | 'label'>,
    Partial<Pick<TemplateField, 'options' | 'min' | 'max' | 'kind'>> {
  /** The place with ids; of a file, its file field. Items need none. */
  readonly place: string;
  /** The part of a text that becomes the field; absent: all of it. */
  readonly part?: string;
  /** Put there first if nothing is there. */
  readonly value?: unknown;
}

/** Makes what stands at a place a field, with that as its default. @returns the name of the field. */
export function makeField(draft: ProjectDraft, { place, part, value: first, ...wanted }: NewField): string {
  draft.template ??= { fields: [], bound: {} } as Draft<Template>;
  const { fields, bound } = draft.template;
  const { type, label, options = [], min = null, max = null, kind = null } = wanted;
  const made = { label, options: [...options], min, max, kind };
  if (type === 'media') return addField(draft, { ...emptyField(place, type), ...made });
  const taken = new Set([...fields.map(({ name }) => name), ...Object.keys(draft.media)]);
  const name = freeId(nameOf(label ?? type), taken);
  const field = { ...emptyField(name, type), ...made };
  if (type === 'items') {
    followItems(draft);
    return addField(draft, { ...field, required: true });
  }
  const found = findPlace(draft, place);
  if (found === null) return addField(draft, field);
  const { holder, key } = found;
  const value = holder[key] ?? first;
  if (type === 'text' || part !== undefined) {
    const text = String(value ?? '');
    holder[key] = part === undefined ? `{{${name}}}` : text.replace(part, () => `{{${name}}}`);
    return addField(draft, { ...field, default: type === 'number' ? Number(part) : (part ?? text) });
  }
  holder[key] = value;
  bound[place] = name;
  return addField(draft, { ...field, default: value });
}

function emptyField(name: string, type: TemplateField['type']): TemplateField {
  return {
    ...{ name, type, label: null, help: null, required: false, default: undefined },
    ...{ min: null, max: null, options: [], kind: null },
  };
}

function addField({ template }: ProjectDraft, field: TemplateField): string {
  template!.fields.push(field as Draft<TemplateField>);
  return field.name;
}

/** A name for placeholders: no braces and no spaces. */
function nameOf(label: string): string {
  const name = label
    .toLowerCase()
    .replace(/[{}\p{Cc}]/gu, '')
    .trim()
    .replace(/\s+/g, '_');
  return name.slice(0, 60) || 'field';
}

/** Reveals are made of the items from now on, whatever they are. (C64) */
function followItems(draft: ProjectDraft): void {
  const before = (original(draft) ?? draft) as Project;
  const { tier_tiles, tier_blocks } = before.timeline_data;
  const times = tier_tiles.map(({ position }) => position).sort((a, b) => a - b);
  const gap = times.length > 1 ? (times.at(-1)! - times[0]!) / (times.length - 1) : null;
  draft.template!.auto = {
    intro: false,
    ...(gap !== null && gap > 0 && { seconds_per_item: Math.round(gap * 10) / 10 }),
  };
  draft.timeline_data.tier_tiles = [];
  // Another block than the automatic one was placed by the user; its length does not follow the items.
  if (isAutomatic(before) || tier_blocks.length === 0) draft.timeline_data.tier_blocks = [];
}

/** How long each reveal takes that follows the items; null: as long as usual. */
export function putSecondsPerItem({ template }: ProjectDraft, seconds: number | null): void {
  if (template?.auto === undefined) return;
  const { seconds_per_item: _, ...auto } = template.auto;
  template.auto = seconds === null || seconds <= 0 ? auto : { ...auto, seconds_per_item: seconds };
}

/** What a form may change of a field. A change of the type keeps the default if it fits. */
export function changeField(
  draft: ProjectDraft,
  name: string,
  changes: Partial<Omit<TemplateField, 'name' | 'default'>>,
): void {
  const field = fieldNamed(draft, name);
  if (field === undefined) return;
  const { type = field.type } = changes;
  if (type !== field.type) {
    const text = field.default === undefined ? '' : String(field.default);
    const number = Number(text);
    const isNumber = text !== '' && Number.isFinite(number);
    Object.assign(field, { min: null, max: null, options: [] });
    if (type === 'number') field.default = isNumber ? number : undefined;
    else field.default = text === '' ? undefined : text;
    if (type === 'choice') field.options = [text || field.label || field.name];
  }
  Object.assign(field, changes);
  const { options, default: usual } = field;
  if (field.type === 'choice' && usual !== undefined && !options.includes(String(usual))) {
    setDefault(draft, name, options[0]);
  }
}

/** Renames a field in its placeholders, its places and its file. Does nothing if the name is taken or cannot stand in braces. */
export function renameField(draft: ProjectDraft, name: string, wanted: string): string {
  const field = fieldNamed(draft, name);
  const next = nameOf(wanted);
  const isTaken = fieldNamed(draft, next) !== undefined || next in draft.media;
  if (field === undefined || next === name || isTaken) return name;
  replacePlaceholders(draft, name, `{{${next}}}`);
  const { bound } = draft.template!;
  for (const [place, of] of Object.entries(bound)) if (of === name) bound[place] = next;
  if (field.type === 'media') renameFile(draft, name, next);
  for (const { values } of draft.studio.table?.rows ?? []) {
    if (!Object.hasOwn(values, name)) continue;
    values[next] = values[name];
    delete values[name];
  }
  field.name = next;
  return next;
}

function renameFile(draft: ProjectDraft, name: string, next: string): void {
  for (const files of [draft.media, draft.studio.media] as Record<string, unknown>[]) {
    if (files[name] === undefined) continue;
    files[next] = files[name];
    delete files[name];
  }
  for (const item of draft.tier_list.items) if (item.file_field === name) item.file_field = next;
  for (const lane of lanesWhere(({ ofFile }) => ofFile)) {
    for (const entry of draft.timeline_data[lane] as { file_field: string }[]) {
      if (entry.file_field === name) entry.file_field = next;
    }
  }
  const { background } = draft.settings;
  if (typeof background === 'object' && background.file_field === name) background.file_field = next;
}

/** Removes a field; its default stays where it stood. */
export function deleteField(draft: ProjectDraft, name: string): void {
  const { template } = draft;
  const field = fieldNamed(draft, name);
  if (template === undefined || field === undefined) return;
  replacePlaceholders(draft, name, field.default === undefined ? '' : String(field.default));
  for (const [place, of] of Object.entries(template.bound)) if (of === name) delete template.bound[place];
  if (field.type === 'items') bakeReveals(draft);
  template.fields = template.fields.filter((each) => each.name !== name);
  if (template.fields.length === 0 && template.episode === undefined) delete draft.template;
}

/** Turns the reveals that follow the items into entries. */
function bakeReveals(draft: ProjectDraft): void {
  const { template, timeline_data, tier_list, settings } = draft as Project;
  if (template?.auto === undefined) return;
  draft.timeline_data = withAuto(timeline_data, template.auto, tier_list, settings) as ProjectDraft['timeline_data'];
  delete draft.template!.auto;
}

function replacePlaceholders(draft: ProjectDraft, name: string, by: string): void {
  const escaped = name.replace(/[\\^$.*+?()[\]|]/g, '\\$&');
  // Not those after a backslash, which are no placeholders.
  const pattern = new RegExp(`(?<!\\\\)\\{\\{\\s*${escaped}\\s*\\}\\}`, 'gu');
  const places = placeholdersOf((original(draft) ?? draft) as Project).filter(({ field }) => field === name);
  for (const path of new Set(places.map((place) => place.path))) {
    const found = findPlace(draft, path);
    if (typeof found?.holder[found.key] !== 'string') continue;
    found.holder[found.key] = String(found.holder[found.key]).replace(pattern, () => by);
  }
}

/** Moves a field in the order of forms. */
export function moveField({ template }: ProjectDraft, name: string, to: number): void {
  if (template === undefined) return;
  const from = template.fields.findIndex((field) => field.name === name);
  if (from < 0 || to < 0 || to >= template.fields.length) return;
  const [field] = template.fields.splice(from, 1);
  template.fields.splice(to, 0, field!);
}

/** A number that counts episodes: it stands in a text. */
function countsEpisodes(project: Project, { name, type }: TemplateField): boolean {
  return type === 'number' && placeholdersOf(project).some(({ field }) => field === name);
}

/** An episode of a template: its fields have their defaults, and numbers go on from the other episodes. */
export function episodeOf(project: Project, id: string, others: readonly Project[]): Project {
  const template = project.template!;
  const fields = template.fields.map((field) => {
    if (!countsEpisodes(project, field)) return field;
    const used = others.flatMap(({ template: other }) => {
      const value = other?.fields.find(({ name }) => name === field.name)?.default;
      return typeof value === 'number' ? [value] : [];
    });
    const first = typeof field.default === 'number' ? field.default : (field.min ?? 1);
    const next = used.length === 0 ? first : Math.floor(Math.max(...used)) + 1;
    return { ...field, default: field.max !== null && next > field.max ? (field.min ?? 1) : next };
  });
  const name = template.name ?? project.tier_list.title ?? '';
  const { table: _, ...studio } = project.studio;
  return { ...project, studio, template: { ...template, fields, episode: { of: id, name } } };
}

/** The project with all fields filled in: an ordinary one. */
export function withoutTemplate(project: Project): Project {
  const { template, ...plain } = filled(project) as Writable<Project>;
  if (template?.auto === undefined) return plain;
  const { timeline_data, tier_list, settings } = plain;
  return { ...plain, timeline_data: withAuto(timeline_data, template.auto, tier_list, settings) };
}
