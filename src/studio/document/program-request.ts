import type { TemplateField } from '../../timeline/project/template-fields.ts';
import * as texts from '../texts/en/program-request.ts';
import type { Project } from './project.ts';
import { filled } from './template.ts';

/** What a request of a program needs to know of the service. */
interface Addressed {
  readonly origin: string;
  /** The id of the template on the service. */
  readonly id: string;
  readonly needsKey: boolean;
}

/** The languages in which the request of a template can be copied. */
export const REQUEST_LANGUAGES = ['curl', 'typeScript', 'python'] as const;
export type RequestLanguage = (typeof REQUEST_LANGUAGES)[number];

/** A program that makes one video of a template, with a value for each of its fields, to be changed. (C84) */
export function programRequest(
  language: RequestLanguage,
  project: Project,
  { origin, id, needsKey }: Addressed,
): string {
  const values = exampleValues(project);
  if (language === 'curl') return curl(`${origin}/projects/${id}/exports`, values, needsKey);
  const [program, indent] = language === 'python' ? [texts.python, 4] : [texts.typeScript, 2];
  return program(origin, id, JSON.stringify(values, null, indent), needsKey);
}

type Values = Readonly<Record<string, unknown>>;

const EXAMPLE_ITEMS = 3;

/** The defaults of the fields, and an example where there is none. A file has no example: it is left out. */
function exampleValues(project: Project): Values {
  const { items, rows } = filled(project).tier_list;
  const listed = items.slice(0, EXAMPLE_ITEMS).map(({ id, name = id }) => {
    const row = rows.find(({ item_ids = [] }) => item_ids.includes(id));
    return row === undefined ? { name } : { name, row: row.label ?? row.id };
  });
  const fields = project.template?.fields ?? [];
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = field.type === 'items' ? listed : (field.default ?? exampleOf(field));
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

function exampleOf({ type, label, name, min, options }: TemplateField): unknown {
  if (type === 'text') return label ?? name;
  if (type === 'number') return min ?? 1;
  if (type === 'color') return '#ff6b6b';
  return type === 'choice' ? options[0] : undefined;
}

function curl(url: string, values: Values, needsKey: boolean): string {
  const body = JSON.stringify({ values }, null, 2).replaceAll("'", `'\\''`);
  return [
    `curl -s '${url}'`,
    ...(needsKey ? [`  -H "Authorization: Bearer $TIERCUT_KEY"`] : []),
    `  -H 'Content-Type: application/json'`,
    `  -H 'Prefer: respond-async'`,
    `  -d '${body}'\n`,
  ].join(' \\\n');
}
