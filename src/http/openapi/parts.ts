import { METADATA_LIMITS } from '../../exports/api/submission.ts';
import { MAX_LISTED } from '../replies/list-query.ts';
import type { JsonSchema, Schema } from '../replies/schema.ts';
import type { HttpConfig } from '../server/http-config.ts';

/** Responses by status. */
export type Responses = Readonly<Record<string, unknown>>;

/** Bodies by media type. */
type Content = Readonly<Record<string, object>>;

/** A response; each has the id of its request. */
export function reply(description: string, content?: Content, headers: object = {}): object {
  const all = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers };
  return { description, headers: all, ...(content && { content }) };
}

export function header(description: string, schema: JsonSchema = { type: 'string' }): object {
  return { description, schema };
}

/** A JSON body, and examples of it by their names. */
export function json<T>(schema: Schema<T>, examples: Readonly<Record<string, NoInfer<T>>> = {}): Content {
  const shown = Object.entries(examples).map(([title, value]) => [title, { value }]);
  return {
    'application/json': {
      schema,
      ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
    },
  };
}

/** Bytes, declared in both ways: generators of 3.0 read `format`, those of 3.1 `contentMediaType`. */
export function binary(type: string): Content {
  return { [type]: { schema: { type: 'string', format: 'binary', contentMediaType: type } } };
}

/** A text with a media type. */
export function textContent(type: string, example?: string): Content {
  return { [type]: { schema: { type: 'string' }, ...(example !== undefined && { example }) } };
}

/** The id in the address of an export. */
export const exportId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `export_id` of the metadata.',
  schema: { type: 'string', format: 'uuid' },
} as const;

/** The id in the address of a project. */
export const projectId = {
  name: 'project_id',
  in: 'path',
  required: true,
  description: 'A UUID of your choice.',
  schema: { type: 'string', format: 'uuid' },
} as const;

/** The number of a short in an address. */
export const shortNumberParameter = {
  name: 'number',
  in: 'path',
  required: true,
  description: 'Its `number` in the metadata, counted from 1.',
  schema: { type: 'integer', minimum: 1, examples: [1] },
} as const;

/** The name of an output in an address. */
export function presetName({ presets }: Pick<HttpConfig, 'presets'>): object {
  return {
    name: 'preset',
    in: 'path',
    required: true,
    description: 'A preset, or an alias of one.',
    schema: { type: 'string', examples: [presets[0].name] },
  };
}

/** An optional request header. */
export function requestHeader(name: string, description: string, example: string): object {
  return { name, in: 'header', description, schema: { type: 'string', examples: [example] } };
}

/** The request headers of every address that serves byte ranges. */
export const RANGE_HEADERS: readonly object[] = [
  requestHeader('Range', 'One range of bytes.', 'bytes=0-1048575'),
  requestHeader('If-Range', 'The range if the version matches, else the whole.', '"9f86d081"'),
  requestHeader('If-Match', 'The version that you expect.', '"9f86d081"'),
  requestHeader('If-None-Match', 'The version of your copy.', '"9f86d081"'),
];

/** An optional query parameter. */
export function query(name: string, description: string, schema: JsonSchema): object {
  return { name, in: 'query', description, schema };
}

/** A time of RFC 3339, or a day. */
const MOMENT = { type: 'string', example: '2026-01-31T18:00:00Z' };

/** The filters and pages that lists of exports and of batches share. */
export function listParameters(what: 'exports' | 'batches'): object[] {
  const title = `${what[0]!.toUpperCase()}${what.slice(1)}`;
  return [
    {
      in: 'query',
      name: 'metadata',
      description: `Only ${what} whose metadata has these pairs, one as \`metadata.KEY=VALUE\`, at most ${METADATA_LIMITS.pairs}.`,
      style: 'form',
      explode: true,
      schema: {
        type: 'object',
        propertyNames: { pattern: '^metadata[.]' },
        additionalProperties: { type: 'string' },
      },
    },
    query('created_after', `Only ${what} that were created at this time or later: a time, or a day in UTC.`, MOMENT),
    query('created_before', `Only ${what} that were created before this time: a time, or a day in UTC.`, MOMENT),
    query('limit', `${title} on a page; 20 if absent.`, { type: 'integer', minimum: 1, maximum: MAX_LISTED }),
    query('cursor', 'The `next` of the previous page.', { type: 'string' }),
  ];
}
