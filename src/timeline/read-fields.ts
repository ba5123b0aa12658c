import type { Circumstances, Field } from './field.ts';
import type { Filled, Given, Values } from './fields.ts';

type Table = Readonly<Record<string, Field>>;

/** The types that are copied; the parser reads the others one by one. */
const BASIC: ReadonlySet<string> = new Set([
  ...['number', 'positive', 'whole', 'flag', 'choice', 'alignment', 'color', 'text'],
]);

interface BasicField {
  readonly name: string;
  readonly camel: string;
  readonly field: Field;
}

const basicsByTable = new WeakMap<Table, readonly BasicField[]>();

function basicsOf(table: Table): readonly BasicField[] {
  let basics = basicsByTable.get(table);
  if (basics === undefined) {
    basics = Object.entries(table)
      .filter(([, { type }]) => BASIC.has(type))
      .map(([name, field]) => ({ name, field, camel: name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()) }));
    basicsByTable.set(table, basics);
  }
  return basics;
}

/** The basic fields of a checked object, with every default that does not depend on the preset. */
export function filled<T extends Table>(
  table: T,
  value: Partial<Values<T>>,
  settings: Circumstances['settings'] = {},
): Filled<T> {
  const sent = value as Readonly<Record<string, unknown>>;
  const result: Record<string, unknown> = {};
  for (const { name, camel, field } of basicsOf(table)) {
    result[camel] =
      normal(field, sent[name]) ?? (field.perPreset === true ? null : usual(field, value, { settings })) ?? null;
  }
  return result as Filled<T>;
}

/** The basic fields of a checked object that are given. */
export function given<T extends Table>(table: T, value: Partial<Values<T>>): Given<T> {
  const sent = value as Readonly<Record<string, unknown>>;
  const found = basicsOf(table).flatMap(({ name, camel, field }) =>
    sent[name] === undefined ? [] : [[camel, normal(field, sent[name])]],
  );
  return Object.fromEntries(found) as Given<T>;
}

function normal({ type }: Field, value: unknown): unknown {
  if (type === 'color') return (value as string | undefined)?.toLowerCase();
  return type === 'alignment' && (value === 'centre' || value === 'middle') ? 'center' : value;
}

/** The default of a field; undefined: it has none, or none in this case. */
export function usual(field: Field, entry: object, circumstances: Partial<Circumstances>): unknown {
  const { default: value } = field;
  if (typeof value !== 'function') return value;
  return (value as (entry: object, circumstances: Partial<Circumstances>) => unknown)(entry, circumstances);
}
