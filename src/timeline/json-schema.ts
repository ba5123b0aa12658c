import * as z from 'zod';
import { FIELD_DESCRIPTIONS, type SchemaName } from './field-descriptions.ts';
import type { RequestSchemas } from './schema.ts';

/** As much of JSON Schema as describes a field of a request. */
export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly FieldSchema[];
  readonly additionalProperties?: FieldSchema | boolean;
}

/** A schema as JSON Schema, with the descriptions of its fields. */
export function jsonSchemaOf(schemas: RequestSchemas, name: keyof RequestSchemas): FieldSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schemas[name], { io: 'input' });
  return described(printed as FieldSchema, name);
}

function described(schema: FieldSchema, owner: string): FieldSchema {
  const { properties, items, anyOf, additionalProperties: more } = schema;
  const texts: Readonly<Record<string, string>> =
    owner in FIELD_DESCRIPTIONS ? FIELD_DESCRIPTIONS[owner as SchemaName] : {};
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const description = texts[name];
    return [name, { ...(description !== undefined && { description }), ...described(field, name) }];
  });
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: described(items, owner) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => described(each, owner)) }),
    ...(typeof more === 'object' && { additionalProperties: described(more, owner) }),
  };
}
