import { MADE_SOUNDS } from '../../timeline/choices.ts';
import type { SchemaName } from '../../timeline/field-descriptions.ts';
import { type FieldSchema, jsonSchemaOf } from '../../timeline/json-schema.ts';
import type { TimelineLimits } from '../../timeline/limits.ts';
import { DEFAULT_PRESETS, type Presets } from '../../timeline/presets.ts';
import { requestSchemas } from '../../timeline/schema.ts';
import { fields as fieldTexts } from '../texts/en/fields.ts';
import { sentence } from './choice-words.ts';
import { USUAL } from './usual-values.ts';

/** The kinds of objects that have fields. */
export type Described = SchemaName;

/** A field of the inspector. Everything but the texts comes from the schema that validates requests. */
export interface FieldDescription {
  /** Its owner: a kind of object, or a field with nested fields. */
  readonly owner: string;
  readonly name: string;
  readonly label: string;
  /** What it means, and its default. */
  readonly help: string;
  readonly required: boolean;
  /** The default, if it is always the same. */
  readonly usual?: string | undefined;
  /** Whether several entries have different values. */
  readonly mixed?: boolean;
  readonly control: Control;
}

type Control =
  | { readonly kind: 'number'; readonly min: number | null; readonly max: number | null }
  | { readonly kind: 'text'; readonly long: boolean }
  | { readonly kind: 'color' }
  | { readonly kind: 'yes' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  /** A file of the project, or one of these names. */
  | { readonly kind: 'file'; readonly also: readonly string[] }
  /** A row of the board. */
  | { readonly kind: 'row' }
  | { readonly kind: 'object'; readonly fields: readonly FieldDescription[] }
  /** A name, or an object based on one of the names. */
  | {
      readonly kind: 'named-object';
      readonly choices: readonly string[];
      readonly fields: readonly FieldDescription[];
      /** Whether the object names its base. */
      readonly hasBase: boolean;
    }
  /** Several colours, with a minimum and a maximum number. */
  | { readonly kind: 'colors'; readonly min: number; readonly max: number }
  /** A clip of the timeline. */
  | { readonly kind: 'clip' }
  /** A colour, or an object of one of these kinds, each with some of the fields. */
  | { readonly kind: 'color-or-kind'; readonly kinds: readonly string[]; readonly fields: readonly FieldDescription[] }
  /** Overrides by preset. */
  | { readonly kind: 'by-preset'; readonly fields: readonly FieldDescription[] }
  /** Lists and other types without a control: shown as JSON. */
  | { readonly kind: 'json' };

/** All fields by kind. A new field of the schema appears here without further work. */
export function describeFields(
  limits: TimelineLimits,
  presets: Presets = DEFAULT_PRESETS,
): Readonly<Record<Described, readonly FieldDescription[]>> {
  const schemas = requestSchemas(limits);
  const { title: _, ...withFields } = schemas;
  const described = Object.keys(withFields).map((name) => [
    name,
    fieldsOf(jsonSchemaOf(schemas, name as Described), name),
  ]);
  const { settings, ...rest } = Object.fromEntries(described) as Record<Described, FieldDescription[]>;
  // The service decides which presets there are.
  const choices = presets.map(({ name, aliases }) => aliases[0] ?? name);
  const isNamed = (field: FieldDescription) => field.name === 'preset';
  const named = settings.map(
    (field): FieldDescription =>
      isNamed(field) ? { ...field, usual: choices[0], control: { kind: 'choice', choices } as const } : field,
  );
  return { ...rest, settings: named };
}

function fieldsOf({ properties = {}, required = [] }: FieldSchema, owner: string): FieldDescription[] {
  return Object.entries(properties).map(([name, schema]) => {
    const words = fieldTexts[`${owner}.${name}`] ?? fieldTexts[name];
    return {
      owner,
      name,
      label: words?.[0] ?? sentence(name.replaceAll('_', ' ')),
      help: [words?.[1], schema.description].find((text) => text !== undefined && text !== '') ?? '',
      required: required.includes(name),
      usual: USUAL[`${owner}.${name}`] ?? USUAL[name],
      control: controlOf(name, schema),
    };
  });
}

function controlOf(name: string, schema: FieldSchema): Control {
  const { type, anyOf } = schema;
  // A made sound, or a file. (C45)
  if (/^(sound_field|reveal_sound)$/.test(name)) return { kind: 'file', also: ['none', ...MADE_SOUNDS] };
  if (name === 'to_row') return { kind: 'row' };
  if (name === 'of') return { kind: 'clip' };
  if (/(^|_)field$/.test(name)) return { kind: 'file', also: [] };
  if (anyOf !== undefined) {
    const choices = anyOf.find((each) => each.enum !== undefined)?.enum;
    const object = anyOf.find((each) => each.properties !== undefined);
    if (choices !== undefined && object !== undefined) {
      const fields = fieldsOf(object, name);
      const inside = fields.filter((field) => field.name !== 'base');
      return { kind: 'named-object', choices, fields: inside, hasBase: inside.length < fields.length };
    }
    const kinds = object?.properties?.kind?.enum;
    if (kinds !== undefined) {
      const fields = fieldsOf(object!, name).filter((field) => field.name !== 'kind');
      return { kind: 'color-or-kind', kinds, fields };
    }
    const number = anyOf.find((each) => each.type === 'number');
    if (number !== undefined) return controlOf(name, number);
    return { kind: 'text', long: false };
  }
  if (schema.enum !== undefined) {
    return { kind: 'choice', choices: schema.enum.filter((choice) => !OTHER_NAMES.has(choice)) };
  }
  if (type === 'number' || type === 'integer') {
    return { kind: 'number', min: schema.minimum ?? schema.exclusiveMinimum ?? null, max: schema.maximum ?? null };
  }
  if (type === 'boolean') return { kind: 'yes' };
  if (type === 'string') return isColor(schema) ? { kind: 'color' } : { kind: 'text', long: LONG.has(name) };
  if (type === 'array' && schema.items !== undefined && isColor(schema.items)) {
    return { kind: 'colors', min: schema.minItems ?? 0, max: schema.maxItems ?? 1 };
  }
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties.properties !== undefined) {
    return { kind: 'by-preset', fields: fieldsOf(schema.additionalProperties, name) };
  }
  if (type === 'object' && schema.properties !== undefined) return { kind: 'object', fields: fieldsOf(schema, name) };
  return { kind: 'json' };
}

function isColor({ pattern }: FieldSchema): boolean {
  return pattern?.includes('0-9a-fA-F]{6}') === true;
}

/** Texts with several lines. */
const LONG = new Set(['text', 'note']);

/** Aliases of an alignment, which are not offered as choices. */
const OTHER_NAMES = new Set(['centre', 'middle']);
