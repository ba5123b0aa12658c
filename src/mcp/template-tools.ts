import type { Project, ProjectExport } from '../../packages/client/src/client.ts';
import { ExportError } from '../errors.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { isObject } from '../timeline/json/json-object.ts';
import { readFields, type TemplateField } from '../timeline/project/template-fields.ts';
import type { JsonSchema } from './check-arguments.ts';
import { jsonResult, type Tool, type ToolCall } from './tool.ts';
import { EXPORT_ARGUMENTS, pictureResult } from './video-tools.ts';

/** A larger document is read by no tool: it would hold the service while it is parsed. */
const MAX_DOCUMENT_BYTES = 2 ** 20;
/** Each is read to see whether it is a template. */
const MAX_LISTED = 20;

const PROJECT_ID: JsonSchema = {
  type: 'string',
  maxLength: 100,
  description: 'The id of a template, of list_templates.',
};
const REVISION: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'A stored revision; default: the current one.',
};
const VALUES: JsonSchema = {
  type: 'object',
  description:
    'A value for each field; describe_template has their schema. Media are HTTPS addresses, or sha256: and 64 digits.',
};

/** Tools for templates: stored projects with fields. (C83, C84) */
export const TEMPLATE_TOOLS: readonly Tool[] = [
  {
    name: 'list_templates',
    title: 'List templates',
    description:
      'Lists stored projects that are templates, last saved first, with the names and types of their fields.',
    inputSchema: {
      type: 'object',
      properties: { cursor: { type: 'string', description: 'next of the page before.' } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: async ({ cursor }: { readonly cursor?: string }, call) => {
      const { signal } = call;
      const after = cursor === undefined ? {} : { cursor };
      const { projects, next } = await call.client.projects.list({ limit: MAX_LISTED, signal, ...after });
      const templates: object[] = [];
      for (const { project_id, name, revision, bytes, saved_at } of projects) {
        const known = { project_id, name, revision, saved_at };
        if (bytes > MAX_DOCUMENT_BYTES) {
          templates.push({ ...known, fields: null });
          continue;
        }
        const fields = fieldsOf(await read(project_id, revision, call));
        if (fields === null) continue;
        templates.push({ ...known, fields: Object.fromEntries(fields.map((field) => [field.name, field.type])) });
      }
      return jsonResult({ templates, next });
    },
  },
  {
    name: 'describe_template',
    title: 'Describe a template',
    description: 'Returns the fields of a template, and the JSON Schema of the values that export_template takes.',
    inputSchema: {
      type: 'object',
      properties: { project_id: PROJECT_ID, revision: REVISION },
      required: ['project_id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: async (
      { project_id, revision: wanted }: { readonly project_id: string; readonly revision?: number },
      call,
    ) => {
      const { revisions } = await call.client.projects.revisions(project_id, { signal: call.signal });
      const found = revisions.find(({ revision }) => wanted === undefined || revision === wanted);
      if (found === undefined) {
        throw new ExportError('missing', 'project.unknown', `The project has no revision ${wanted}.`, {
          path: '/revision',
        });
      }
      if (found.bytes > MAX_DOCUMENT_BYTES) {
        const message = `The project has ${found.bytes} bytes; a tool describes up to ${MAX_DOCUMENT_BYTES}.`;
        throw new ExportError('too_large', 'mcp.too_large', message, { path: '/project_id' });
      }
      const project = await read(project_id, found.revision, call);
      const fields = fieldsOf(project);
      if (fields === null) {
        const message = 'The project has no fields, so it is no template. export_template renders it without values.';
        throw new ExportError('invalid', 'mcp.no_template', message, { path: '/project_id' });
      }
      const { name, revision } = found;
      return jsonResult({ project_id, name, revision, values: valuesSchema(fields, rowsOf(project)) });
    },
  },
  {
    name: 'export_template',
    title: 'Render a template',
    description:
      'Starts a render of a template with values, and returns its export_id at once. Use follow to wait for it. With only_check it renders nothing, and returns errors and warnings; with frame_at it returns a picture.',
    inputSchema: {
      type: 'object',
      properties: {
        project_id: PROJECT_ID,
        values: VALUES,
        settings: { type: 'object', description: 'Replaces these settings of the project.' },
        revision: REVISION,
        only_check: { type: 'boolean', default: false, description: 'Only checks the values.' },
        frame_at: { type: 'number', minimum: 0, description: 'Only shows the frame at this second.' },
        ...EXPORT_ARGUMENTS,
      },
      required: ['project_id'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: async ({ project_id, only_check, frame_at, ...sent }: ExportArguments, { client, signal }) => {
      if (only_check === true) return jsonResult(await client.projects.validate(project_id, sent, { signal }));
      if (frame_at === undefined) {
        return jsonResult(await client.projects.export(project_id, sent, { signal, roomWithinMs: 0 }));
      }
      const { values, settings, revision, presets: [preset] = [] } = sent;
      const request = { values, settings, revision, preset, at: frame_at, type: 'image/jpeg' } as const;
      return pictureResult(await client.projects.frame(project_id, request, { signal }));
    },
  },
];

interface ExportArguments extends ProjectExport {
  readonly project_id: string;
  readonly only_check?: boolean;
  readonly frame_at?: number;
}

async function read(id: string, revision: number, { client, signal }: ToolCall): Promise<Project> {
  return (await client.projects.get(id, { revision, signal })).project;
}

/** The fields of a template; null: it is none. Those that are wrong are left out: an export names their errors. */
function fieldsOf(project: Project): readonly TemplateField[] | null {
  const fields = readFields((project as { readonly fields?: unknown }).fields, new IssueList());
  return fields && [...fields.values()];
}

/** The ids and labels of the rows, which an item names. */
function rowsOf(project: Project): readonly string[] {
  const { tier_list } = project as { readonly tier_list?: unknown };
  const rows = isObject(tier_list) && Array.isArray(tier_list.rows) ? tier_list.rows.slice(0, 100) : [];
  return rows.flatMap((row: unknown) => (isObject(row) && typeof row.id === 'string' ? [row.id] : []));
}

/** The values of a template as a JSON Schema. (C83) */
function valuesSchema(fields: readonly TemplateField[], rows: readonly string[]): object {
  const properties = fields.map((field) => {
    const { name, label, help, default: usual } = field;
    const description = [label, help].filter((text) => text !== null && text !== '').join('. ');
    const about = { ...(description !== '' && { description }), ...(usual !== undefined && { default: usual }) };
    return [name, { ...valueSchema(field, rows), ...about }];
  });
  const required = fields.filter((field) => field.required && field.default === undefined).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

const PLACE = { type: 'string', format: 'uri' };

function valueSchema({ type, min, max, options, kind }: TemplateField, rows: readonly string[]): object {
  if (type === 'text') return { type: 'string', ...(max !== null && { maxLength: max }) };
  if (type === 'number') {
    return { type: 'number', ...(min !== null && { minimum: min }), ...(max !== null && { maximum: max }) };
  }
  if (type === 'color') return { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' };
  if (type === 'choice') return { type: 'string', enum: options };
  if (type === 'media') return { ...PLACE, ...(kind !== null && { title: `A ${kind}` }) };
  const item = {
    name: { type: 'string' },
    row: {
      type: 'string',
      ...(rows.length > 0 && { description: `The id or the label of a row: ${rows.join(', ')}.` }),
    },
    picture: PLACE,
    score: { type: 'string' },
    note: { type: 'string' },
    position: { type: 'number', minimum: 0, description: 'The second at which it appears.' },
  };
  const items = { type: 'object', properties: item, required: ['name'], additionalProperties: false };
  return { type: 'array', items, ...(max !== null && { maxItems: max }) };
}
