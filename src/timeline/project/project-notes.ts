import type { Issue } from '../../errors.ts';
import { addressPath, referencePath } from '../media-references.ts';
import type { TemplateField } from './template-fields.ts';

/** The text that has the notes; no field of a form has this name. */
export const PROJECT_NOTES = 'project/';

/** What a form that was made of a project must remember of it. */
export interface ProjectNotes {
  /** Where the place of a medium was, by file field, if not in `media_refs` or `media_urls`. */
  readonly places: Readonly<Record<string, string>>;
  /** What the fields of media ask for, by file field. */
  readonly kinds: Readonly<Record<string, NonNullable<TemplateField['kind']>>>;
  readonly warnings: readonly Issue[];
}

/** The notes as a text of the form. */
export function notesText(notes: ProjectNotes): readonly [name: string, text: string] {
  return [PROJECT_NOTES, JSON.stringify(notes)];
}

/** The notes of a form; those of a plain form are empty. */
export function readNotes(texts: ReadonlyMap<string, unknown>): ProjectNotes {
  const text = texts.get(PROJECT_NOTES);
  return typeof text === 'string' ? JSON.parse(text) : { places: {}, kinds: {}, warnings: [] };
}

/** Where a request says which content a file field has. */
export function mediaPath({ places }: Pick<ProjectNotes, 'places'>, kind: 'stored' | 'web', field: string): string {
  if (Object.hasOwn(places, field)) return places[field]!;
  return kind === 'stored' ? referencePath(field) : addressPath(field);
}
