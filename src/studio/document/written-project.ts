import type { TemplateField } from '../../timeline/project/template-fields.ts';
import { usedFiles } from './episode-table.ts';
import type { Project } from './project.ts';
import { findPlace } from './template.ts';
import { usesOf } from './template-uses.ts';

type Json = Readonly<Record<string, unknown>>;

/** The project as a file: what the command line and the service read. */
export function writtenProject(project: Project): Json {
  const { template, tier_list: list, timeline_data: timeline, settings: set, media } = project;
  const studio = withUsedFiles(project.studio);
  if (template === undefined) return { tier_list: list, timeline_data: timeline, settings: set, media, studio };
  const { name, fields, bound, auto, episode } = template;
  const documents = structuredClone({ tier_list: list, timeline_data: timeline, settings: set });
  for (const [place, field] of Object.entries(bound)) {
    const found = findPlace(documents, place);
    if (found !== null) found.holder[found.key] = `{{${field}}}`;
  }
  const uses = usesOf(project);
  const inFile = (used: boolean) =>
    Object.fromEntries(
      fields.flatMap((field) => (uses.has(field.name) === used ? [[field.name, writtenField(field)]] : [])),
    );
  // A template with a field that nothing uses is an error.
  const unused = inFile(false);
  return {
    ...(name !== undefined && { name }),
    ...documents,
    ...(auto !== undefined && { timeline_data: { ...documents.timeline_data, auto } }),
    media,
    fields: inFile(true),
    studio: {
      ...studio,
      ...(episode !== undefined && { episode }),
      ...(Object.keys(unused).length > 0 && { unused_fields: unused }),
    },
  };
}

/** The files of a table that no row names stay here. */
function withUsedFiles(studio: Project['studio']): Project['studio'] {
  const { table } = studio;
  if (table === undefined) return studio;
  const files = Object.fromEntries(usedFiles(table).map((entry) => [entry.hash, entry]));
  return { ...studio, table: { ...table, files } };
}

/** A field without the members that it does not have. */
export function writtenField({ name: _, options, required, ...field }: TemplateField): Json {
  const members = Object.entries(field).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...Object.fromEntries(members),
    ...(required && { required }),
    ...(options.length > 0 && { options }),
  };
}
