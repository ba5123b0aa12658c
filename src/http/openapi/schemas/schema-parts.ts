import { type JsonSchema, reference } from '../replies.ts';

export const share: JsonSchema = { type: 'number', minimum: 0, maximum: 1 };
export const text: JsonSchema = { type: 'string' };
export const path: JsonSchema = { type: 'string', format: 'uri-reference' };
/** Open-ended, so that a client that validates responses accepts a code of a later release. */
export const code: JsonSchema = { anyOf: [reference('ErrorCode'), { type: 'string' }] };

/** An object with these fields; all are required unless `required` lists fewer. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required };
}

/** An object with a value for each preset. */
export type PerPreset = (schema: JsonSchema) => JsonSchema;
