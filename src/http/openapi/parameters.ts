import type { JsonSchema } from './replies.ts';

/** The id in the address of an export. */
export const exportId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `export_id` of the metadata.',
  schema: { type: 'string', format: 'uuid' },
} as const;

/** A request header that may be sent. */
export function requestHeader(name: string, description: string, example: string): object {
  return { name, in: 'header', description, schema: { type: 'string', examples: [example] } };
}

/** Something behind the question mark that may be there. */
export function query(name: string, description: string, schema: JsonSchema): object {
  return { name, in: 'query', description, schema };
}
