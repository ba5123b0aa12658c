import { type JsonSchema, reference } from '../replies.ts';

export const share: JsonSchema = {
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'From 0 to 1; 1 only when the video is complete.',
};
export const ok: JsonSchema = { const: true, description: 'true: the request succeeded.' };
export const exportId: JsonSchema = { type: 'string', format: 'uuid', description: 'The id of the export.' };
/** A list of warnings. */
export const warnings: JsonSchema = {
  type: 'array',
  items: reference('Issue'),
  description: 'What the service ignored or changed in the request.',
};
export const text: JsonSchema = { type: 'string' };
export const path: JsonSchema = { type: 'string', format: 'uri-reference' };
/** Open-ended, so that a client that validates responses accepts a code of a later release. */
export const code: JsonSchema = {
  anyOf: [reference('ErrorCode'), { type: 'string' }],
  description: 'A stable code.',
};

/** An object with these fields; all are required unless `required` lists fewer. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}

/** An object with a value for each preset. */
export type PerPreset = (schema: JsonSchema) => JsonSchema;
