import { isObject } from '../json/json-object.ts';
import { readSha256 } from '../media-references.ts';

type Json = Readonly<Record<string, unknown>>;

/** The SHA-256 of each file in the table of episodes that the studio keeps in a project. They travel with it. (C76) */
export function tableFiles({ studio }: Json): readonly string[] {
  const table = isObject(studio) ? studio.table : undefined;
  const files = isObject(table) && isObject(table.files) ? table.files : {};
  return Object.keys(files).flatMap((name) => readSha256(name) ?? []);
}

/** The project without that table, which is nothing for those who open a link. */
export function withoutTable(project: Json): Json {
  const { studio } = project;
  if (!isObject(studio) || !Object.hasOwn(studio, 'table')) return project;
  const { table: _, ...rest } = studio;
  return { ...project, studio: rest };
}
