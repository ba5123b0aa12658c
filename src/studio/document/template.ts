import type { MediaFacts } from '../../plan/model/media-facts.ts';
import { lanesWhere } from '../../timeline/lanes.ts';
import { filledWith, type Slots, slotsOf } from '../../timeline/project/placeholders.ts';
import type { TemplateField } from '../../timeline/project/template-fields.ts';
import type { RequestDocuments } from '../../timeline/request-documents.ts';
import { heardTimeline } from './lane-switches.ts';
import type { Project } from './project.ts';

/** The documents with placeholders. */
export const DOCUMENTS = ['tier_list', 'timeline_data', 'settings'] as const;
type DocumentName = (typeof DOCUMENTS)[number];

const slotsByDocument = new WeakMap<object, Slots | { readonly kind: 'none' }>();

/** Where the texts of a document have placeholders; cached, since documents are immutable. */
export function slotsIn(
  document: object,
  name: DocumentName,
  onUnclosed: (path: string) => void = () => {},
): Slots | null {
  const cached = slotsByDocument.get(document);
  if (cached !== undefined) return cached.kind === 'none' ? null : cached;
  const slots = slotsOf(document, `/${name}`, { isFile: () => false, onUnclosed });
  slotsByDocument.set(document, slots ?? { kind: 'none' });
  return slots;
}

/** The value of a field without a default, to show what is missing; undefined: nothing is shown. */
function standIn({ type, label, name, min, required }: TemplateField): string | number | undefined {
  if (!required) return undefined;
  if (type === 'text') return label ?? name;
  return type === 'number' ? (min ?? 1) : undefined;
}

/** The text or number that is filled in for a field. */
function filledInFor(field: TemplateField): unknown {
  return field.default ?? standIn(field);
}

const filledProjects = new WeakMap<Project, Project>();

/** The project with the defaults of its fields in place of the placeholders; the same project if it is no template. */
export function filled(project: Project): Project {
  const { template } = project;
  if (template === undefined) return project;
  const known = filledProjects.get(project);
  if (known !== undefined) return known;
  const values = new Map(template.fields.map((field) => [field.name, filledInFor(field)] as const));
  for (const [name, value] of values) if (value === undefined) values.delete(name);
  const documents = DOCUMENTS.map((name) => {
    // Entries of lanes are two levels below the timeline.
    return [name, filledWith(project[name], slotsIn(project[name], name), values, name === 'timeline_data' ? 2 : -1)];
  });
  const texts = Object.fromEntries(documents) as Pick<Project, DocumentName>;
  const made = withoutAbsentFiles({ ...project, ...texts }, template.fields);
  filledProjects.set(project, made);
  return made;
}

/** What shows or plays the file of a field is left out if there is no file. */
function withoutAbsentFiles(project: Project, fields: readonly TemplateField[]): Project {
  const names = fields.flatMap(({ name, type }) => (type === 'media' && !(name in project.media) ? [name] : []));
  if (names.length === 0) return project;
  const isAbsent = (field: string | undefined) => field !== undefined && names.includes(field);
  const { timeline_data, tier_list, settings } = project;
  const lanes = lanesWhere(({ ofFile }) => ofFile).map((lane) => {
    const entries = timeline_data[lane] as readonly { readonly file_field: string }[];
    return [lane, entries.filter((entry) => !isAbsent(entry.file_field))];
  });
  const items = tier_list.items.map((item) => {
    const { file_field, ...rest } = item;
    return isAbsent(file_field) ? rest : item;
  });
  const { background, ...others } = settings;
  const hasNone = typeof background === 'object' && isAbsent(background.file_field);
  return {
    ...project,
    timeline_data: { ...timeline_data, ...Object.fromEntries(lanes) },
    tier_list: { ...tier_list, items },
    settings: hasNone ? others : settings,
  };
}

/** What a project is planned from, with the code of the service. */
export interface PlannedFrom {
  readonly documents: RequestDocuments;
  readonly facts: ReadonlyMap<string, MediaFacts>;
  /** The texts of subtitle files, by form field. (C43) */
  readonly subtitleTexts: ReadonlyMap<string, string>;
}

/** The documents as they are planned and sent. */
export function documentsOf(project: Project) {
  const { tier_list, settings, timeline_data, studio, template } = filled(project);
  const heard = heardTimeline({ timeline_data, studio });
  return {
    tier_list,
    timeline_data: template?.auto === undefined ? heard : { ...heard, auto: template.auto },
    settings,
  };
}

/** The title of a project for lists; null if it has none. A template has a name of its own. */
export function titleOf(project: Project): string | null {
  const { template } = project;
  const name = template?.episode === undefined ? template?.name : undefined;
  return name?.trim() || filled(project).tier_list.title?.trim() || null;
}

type Container = Record<string, unknown>;

/** The object and key at a place with ids, in a project or a draft of one; null if it is not there. */
export function findPlace(
  documents: object,
  place: string,
): { readonly holder: Container; readonly key: string } | null {
  const keys = place
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop();
  const holder = keys.reduce<unknown>(memberOf, documents);
  if (last === undefined || typeof holder !== 'object' || holder === null) return null;
  return { holder: holder as Container, key: last };
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return Object.hasOwn(value, key) ? (value as Container)[key] : undefined;
  return value.find((one) => one?.id === key) ?? value[Number(key)];
}
