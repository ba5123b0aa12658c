import type { IExecuteFunctions, ILoadOptionsFunctions, INodePropertyOptions, ResourceMapperField } from 'n8n-workflow';
import { requestJson } from '../../requests.ts';

/** Pages of the list; nobody chooses from more. */
const MOST_PAGES = 10;

/** The stored projects, by name. */
export async function getTemplates(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const found: INodePropertyOptions[] = [];
  let next: string | null = '';
  for (let page = 0; next !== null && page < MOST_PAGES; page += 1) {
    const qs = { limit: 100, ...(next !== '' && { cursor: next }) };
    const listed: ProjectPage = await requestJson<ProjectPage>(this, { url: '/projects', qs });
    found.push(...listed.projects.map(({ project_id, name }) => ({ name: name || project_id, value: project_id })));
    next = listed.next;
  }
  return found.sort((a, b) => a.name.localeCompare(b.name));
}

interface ProjectPage {
  readonly projects: readonly { readonly project_id: string; readonly name: string }[];
  readonly next: string | null;
}

interface PresetList {
  readonly presets: readonly { readonly name: string; readonly width: number; readonly height: number }[];
}

/** The formats of the service. */
export async function getPresets(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  const { presets } = await requestJson<PresetList>(this, { url: '/presets' });
  return presets.map(({ name, width, height }) => ({ name: `${name} (${width} × ${height})`, value: name }));
}

type Fields = Readonly<Record<string, Field>>;

interface Field {
  readonly type: string;
  readonly label?: string;
  readonly required?: boolean;
  readonly default?: unknown;
  readonly options?: readonly string[];
}

/** The fields of a template, by name. */
export async function fieldsOf(context: IExecuteFunctions | ILoadOptionsFunctions, project: unknown): Promise<Fields> {
  const url = `/projects/${encodeURIComponent(String(project).trim())}`;
  const { fields = {} } = await requestJson<{ readonly fields?: Fields }>(context, { url });
  return fields;
}

/** The fields of the chosen template, as the form of its values. */
export async function getFields(this: ILoadOptionsFunctions): Promise<{ fields: ResourceMapperField[] }> {
  const fields = await fieldsOf(this, this.getCurrentNodeParameter('project'));
  return { fields: Object.entries(fields).map(mapperField) };
}

/** Types of fields that are not plain text. */
const TYPES: Readonly<Record<string, 'number' | 'array' | 'options'>> = {
  number: 'number',
  items: 'array',
  choice: 'options',
};

function mapperField([id, { type, label = id, required = false, default: usual, options = [] }]: [string, Field]) {
  return {
    id,
    displayName: label,
    required: required && usual === undefined,
    defaultMatch: false,
    display: true,
    type: TYPES[type] ?? 'string',
    ...(type === 'choice' && { options: options.map((value) => ({ name: value, value })) }),
  } satisfies ResourceMapperField;
}
