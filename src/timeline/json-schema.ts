import * as z from 'zod/mini';
import { CANVAS_SHAPES, type CanvasShape } from './default-looks.ts';
import type { RequestSchemas } from './document-schemas.ts';
import type { Field } from './field.ts';
import { FIELD_WORDS, type Words } from './field-words.ts';
import { FIELDS, type FieldOwner } from './fields.ts';
import { usual } from './read-fields.ts';

/** As much of JSON Schema as describes a field of a request. */
interface FieldSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly additionalProperties?: FieldSchema | boolean;
}

/** A schema as JSON Schema, with the descriptions of its fields. */
export function jsonSchemaOf(schemas: RequestSchemas, name: keyof RequestSchemas): FieldSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schemas[name], { io: 'input' });
  return name === 'title' ? (printed as FieldSchema) : described(printed as FieldSchema, name);
}

/** @param owner whose fields are inside; undefined: those of no table. */
function described(schema: FieldSchema, owner: string | undefined): FieldSchema {
  const { properties, items, anyOf, additionalProperties: more } = schema;
  const rows: Readonly<Record<string, Field>> = isOwner(owner) ? FIELDS[owner] : {};
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const description = fieldDescription(owner as FieldOwner, name);
    return [name, { description, ...described(field, rows[name]?.of) }];
  });
  return {
    ...schema,
    ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
    ...(items !== undefined && { items: described(items, owner) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((each) => described(each, owner)) }),
    ...(typeof more === 'object' && { additionalProperties: described(more, owner) }),
  };
}

function isOwner(name: string | undefined): name is FieldOwner {
  return name !== undefined && Object.hasOwn(FIELDS, name);
}

/** What a field means, and its default. */
export function fieldDescription(owner: FieldOwner, name: string): string {
  const words: Readonly<Record<string, Words>> = FIELD_WORDS[owner];
  const [, text] = words[name]!;
  const unless = defaultWords(owner, name);
  // Some defaults depend on more than their row knows: those are in the words.
  return unless === null || text.includes('Default:') ? text : `${text} Default: ${unless}.`;
}

/** The default of a field as text; null: it has none, or one that depends on more than a choice and the preset. */
export function defaultWords(owner: FieldOwner, name: string): string | null {
  const rows: Readonly<Record<string, Field>> = FIELDS[owner];
  const field = rows[name]!;
  if (field.default === undefined || field.default === '') return null;
  if (typeof field.default !== 'function') return shown(field.default);
  const { by } = field;
  const settings: Readonly<Record<string, Field>> = FIELDS.settings;
  const { choices } = (by === undefined ? undefined : (rows[by] ?? settings[by])) ?? {};
  if (by === undefined || choices === undefined) {
    return field.perPreset === true ? inEachShape((shape) => usual(field, {}, { settings: {}, shape })) : null;
  }
  const byText = Map.groupBy(choices, (choice) =>
    inEachShape((shape) => usual(field, { [by]: choice }, { settings: { [by]: choice }, shape })),
  );
  const [most] = [...byText].toSorted(([, a], [, b]) => b.length - a.length).map(([text]) => text);
  const special = [...byText].filter(([text]) => text !== most).map(([text, of]) => `${text} for ${listed(of)}`);
  return special.length === 0 ? most! : `${special.join('; ')}; else ${most}`;
}

function listed(choices: readonly string[]): string {
  return choices
    .map(shown)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1');
}

const IN_SHAPE: Readonly<Record<CanvasShape, string>> = {
  portrait: 'in portrait',
  square: 'in a square',
  landscape: 'in landscape',
};

function inEachShape(valueIn: (shape: CanvasShape) => unknown): string {
  const byText = Map.groupBy(CANVAS_SHAPES, (shape) => shown(valueIn(shape)));
  const [only] = byText.keys();
  if (byText.size === 1) return only!;
  const last = [...byText.keys()].at(-1)!;
  const parts = [...byText].map(([text, shapes]) => {
    return text === last && shapes.length > 1
      ? `else ${text}`
      : `${text} ${shapes.map((s) => IN_SHAPE[s]).join(' and ')}`;
  });
  return parts.join(', ');
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? `\`${value}\`` : String(value);
}
