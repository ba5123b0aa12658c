import { textsIn } from '../../timeline/project/placeholders.ts';
import type { Project } from './project.ts';
import { DOCUMENTS, slotsIn } from './template.ts';

/** The names of the fields in the texts of a project, with the place of each text: one for each placeholder. */
export function placeholdersOf(project: Project): readonly { readonly field: string; readonly path: string }[] {
  return DOCUMENTS.flatMap((name) =>
    [...textsIn(slotsIn(project[name], name))].flatMap((slot) => {
      if (slot.kind !== 'text') return [];
      return slot.pieces.flatMap((piece) =>
        typeof piece === 'string' ? [] : [{ field: piece.field, path: slot.path }],
      );
    }),
  );
}

/** The places where each field is used, by name. A field without a use is not in it. */
export function usesOf(project: Project): ReadonlyMap<string, readonly string[]> {
  const uses = new Map<string, string[]>();
  const add = (field: string, path: string) => {
    const known = uses.get(field);
    if (known === undefined) uses.set(field, [path]);
    else known.push(path);
  };
  for (const { field, path } of placeholdersOf(project)) add(field, path);
  for (const [path, field] of Object.entries(project.template?.bound ?? {})) add(field, path);
  for (const { name, type } of project.template?.fields ?? []) {
    if (type === 'items') add(name, '/tier_list/items');
    if (type === 'media') for (const path of placesOfFile(project, name)) add(name, path);
  }
  return uses;
}

/** The places that name a file. */
function placesOfFile({ tier_list, timeline_data, settings }: Project, name: string): readonly string[] {
  const places: string[] = [];
  const walk = (value: unknown, path: string, key: string) => {
    if (value === name && /(^|_)field$/.test(key)) places.push(path);
    if (typeof value !== 'object' || value === null) return;
    for (const [inner, member] of Object.entries(value)) walk(member, `${path}/${inner}`, inner);
  };
  walk({ tier_list, timeline_data, settings }, '', '');
  return places;
}
