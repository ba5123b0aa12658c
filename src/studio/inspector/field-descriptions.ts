import { REVEAL_SOUNDS } from '../../timeline/choices.ts';
import type { Field } from '../../timeline/field.ts';
import type { Words } from '../../timeline/field-words.ts';
import { FIELDS, type FieldOwner } from '../../timeline/fields.ts';
import { type Bound, boundOf, type TimelineLimits } from '../../timeline/limits.ts';
import { DEFAULT_PRESETS, type Presets } from '../../timeline/presets.ts';
import { usual } from '../../timeline/read-fields.ts';
import { fields as fieldTexts } from '../texts/en/fields.ts';

/** The kinds of objects that have fields. */
export type Described = FieldOwner;

/** A field of the inspector: its row, its words, and the control that the row asks for. */
export interface FieldDescription {
  readonly owner: FieldOwner;
  readonly name: string;
  readonly row: Field;
  readonly label: string;
  /** What it means. */
  readonly help: string;
  readonly required: boolean;
  /** The default as text, if it has one. */
  readonly usual?: string | undefined;
  /** Whether the default depends on other fields, so that the same value is not the same as none. */
  readonly varies?: boolean;
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

/** All fields by kind, in the order of their tables. A new row appears here without further work. */
export function describeFields(
  limits: TimelineLimits,
  presets: Presets = DEFAULT_PRESETS,
): Readonly<Record<Described, readonly FieldDescription[]>> {
  const owners = Object.keys(FIELDS) as FieldOwner[];
  const described = owners.map((owner) => [owner, fieldsOf(owner, limits)]);
  const all = Object.fromEntries(described) as Record<Described, readonly FieldDescription[]>;
  // The service decides which presets there are.
  const choices = presets.map(({ name, aliases }) => aliases[0] ?? name);
  const settings = all.settings.map(
    (field): FieldDescription =>
      field.name === 'preset' ? { ...field, usual: choices[0], control: { kind: 'choice', choices } } : field,
  );
  return { ...all, settings };
}

/** One field, such as for a control outside of a form. */
export function describeField(owner: FieldOwner, name: string, limits: TimelineLimits): FieldDescription {
  const rows: Readonly<Record<string, Field>> = FIELDS[owner];
  const words: Readonly<Record<string, Words>> = fieldTexts[owner];
  const row = rows[name]!;
  const [label, text, help = text] = words[name]!;
  return {
    ...{ owner, name, row, label, help },
    required: row.required === true,
    usual: shown(typeof row.default === 'function' ? undefined : row.default),
    control: controlOf(row, limits),
  };
}

function fieldsOf(owner: string, limits: TimelineLimits): FieldDescription[] {
  return Object.keys(FIELDS[owner as FieldOwner]).map((name) => describeField(owner as FieldOwner, name, limits));
}

/** The field with its default among these other fields and settings, on this canvas. */
export function withUsual(
  field: FieldDescription,
  entry: object,
  circumstances: NonNullable<Parameters<typeof usual>[2]>,
): FieldDescription {
  const { row } = field;
  if (typeof row.default !== 'function') return field;
  return { ...field, varies: true, usual: shown(usual(row, entry, circumstances)) };
}

function shown(value: unknown): string | undefined {
  return value === undefined || value === '' ? undefined : String(value);
}

function controlOf(row: Field, limits: TimelineLimits): Control {
  const { type, choices = [], of = '' } = row;
  const bound = (limit: Bound | undefined) => (limit === undefined ? null : boundOf(limit, limits));
  switch (type) {
    case 'number':
    case 'positive':
    case 'whole':
    case 'bitrate':
      return { kind: 'number', min: bound(row.from), max: bound(row.to) };
    case 'flag':
      return { kind: 'yes' };
    case 'color':
      return { kind: 'color' };
    case 'choice':
      return { kind: 'choice', choices };
    case 'alignment':
      // The other names for the centre are not offered.
      return { kind: 'choice', choices: choices.filter((choice) => choice !== 'centre' && choice !== 'middle') };
    case 'text':
    case 'id':
      return { kind: 'text', long: row.long === true };
    case 'file':
    case 'font':
      return { kind: 'file', also: [] };
    case 'sound':
      // A made sound, or a file. (C45)
      return { kind: 'file', also: ['none', ...REVEAL_SOUNDS] };
    case 'row':
    case 'clip':
      return { kind: type };
    case 'object':
    case 'by-preset':
      return { kind: type, fields: fieldsOf(of, limits) };
    case 'named': {
      const fields = fieldsOf(of, limits);
      const inside = fields.filter(({ name }) => name !== 'base');
      return { kind: 'named-object', choices, fields: inside, hasBase: inside.length < fields.length };
    }
    case 'color-or-kind': {
      const fields = fieldsOf(of, limits).filter(({ name }) => name !== 'kind');
      return { kind: type, kinds: FIELDS.background.kind.choices, fields };
    }
    case 'colors':
      return { kind: type, min: row.min ?? 0, max: bound(row.max) ?? 1 };
    case 'choice-by-id':
    case 'list':
    case 'ids':
      return { kind: 'json' };
  }
}
