import { documentJsonSchemas } from '../document-json-schemas.ts';
import type { TimelineLimits } from '../limits.ts';
import type { Presets } from '../presets.ts';
import { templateFieldSchema } from './template-schema.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The settings that the schema depends on. */
interface SchemaOptions {
  readonly limits: TimelineLimits;
  readonly presets: Presets;
  readonly version: string;
}

/** In place of a value that is no text: a text with a placeholder. (C83) */
const PLACEHOLDER = 'Placeholder';

/** Schemas of older clients, which no editor should suggest. */
const OLDER = /^(Legacy|MediaManifest)/;

/**
 * A project as JSON Schema 2020-12, from the tables of fields that the parser and the OpenAPI document are made of. Editors that
 * read `$schema` complete and check a project with it. (C82)
 */
export function projectSchema({ limits, presets, version }: SchemaOptions): JsonSchema {
  const reference = (name: string) => ({ $ref: `#/$defs/${name}` });
  const schemas = Object.entries(documentJsonSchemas({ limits, presets }, reference));
  const documents = schemas.filter(([name]) => !OLDER.test(name)).map(([name, schema]) => [name, fillable(schema)]);
  const text = { type: 'string' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tiercut project',
    description: `A tier list, its timeline and its media; Tiercut ${version}.`,
    type: 'object',
    properties: {
      $schema: { ...text, description: 'The address of this schema.' },
      name: { ...text, minLength: 1, maxLength: 200, description: 'The name in lists. Default: the title.' },
      tier_list: reference('TierList'),
      timeline_data: reference('TimelineData'),
      settings: reference('Settings'),
      media: {
        type: 'object',
        description: 'Where each file is: a path beside the project, an HTTPS address, or sha256: and 64 digits.',
        additionalProperties: { ...text, minLength: 1 },
      },
      media_refs: {
        type: 'object',
        description: 'An older form of media: SHA-256 by file field.',
        additionalProperties: { ...text, pattern: '^[0-9A-Fa-f]{64}$' },
      },
      media_urls: {
        type: 'object',
        description: 'An older form of media: addresses by file field.',
        additionalProperties: { ...text, format: 'uri' },
      },
      fields: {
        type: 'object',
        description: 'Makes the project a template: {{name}} in its documents is a field.',
        maxProperties: 200,
        additionalProperties: reference('TemplateField'),
      },
      studio: { type: 'object', description: 'What the studio keeps for itself.' },
    },
    $defs: {
      ...Object.fromEntries(documents),
      TemplateField: templateFieldSchema(),
      [PLACEHOLDER]: {
        type: 'string',
        pattern: '\\{\\{',
        description: 'A field of the template, such as {{episode}}.',
      },
    },
  };
}

/** The same schema, in which a placeholder may stand for every value that is not any text. */
function fillable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(fillable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    description,
    default: usual,
    ...rest
  } = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'default' || name === 'enum' ? value : fillable(value),
    ]),
  );
  if (!isStrict(rest))
    return {
      ...rest,
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
    };
  const either = { anyOf: [rest, { $ref: `#/$defs/${PLACEHOLDER}` }] };
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    ...either,
  };
}

/** Whether a schema of one value refuses a text with braces. */
function isStrict({ type, enum: choices, pattern }: JsonSchema): boolean {
  if (type === 'number' || type === 'integer' || type === 'boolean') return true;
  return choices !== undefined || (type === 'string' && pattern !== undefined);
}
