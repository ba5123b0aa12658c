import type { HttpConfig } from '../server/http-config.ts';
import type { JsonSchema } from './replies.ts';

/** The id in the address of an export. */
export const exportId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `export_id` of the metadata.',
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
