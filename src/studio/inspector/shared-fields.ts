import { type Described, type FieldDescription, withUsual } from './field-descriptions.ts';

/** Lists and overrides by preset cannot be edited for several entries. */
const OWN_CONTROLS = /^(json|by-preset)$/;

interface SharedField {
  readonly field: FieldDescription;
  /** undefined if it is absent in all entries, or different: then the field is `mixed`. */
  readonly value: unknown;
}

/** The fields that all entries have, each with its value. */
export function sharedFields(
  fields: Readonly<Record<Described, readonly FieldDescription[]>>,
  entries: readonly { readonly kind: Described; readonly value: object }[],
  circumstances: Parameters<typeof withUsual>[2],
): readonly SharedField[] {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const isShared = (field: FieldDescription) =>
    field.row.own !== true &&
    !OWN_CONTROLS.test(field.control.kind) &&
    kinds.every((kind) =>
      fields[kind].some((other) => other.name === field.name && isSame(other.control, field.control)),
    );
  return fields[kinds[0]!].filter(isShared).map((field) => {
    const [first, ...others] = entries.map(({ value }) => (value as Readonly<Record<string, unknown>>)[field.name]);
    const mixed = others.some((other) => !isSame(other, first));
    if (mixed) return { field: { ...field, mixed }, value: undefined };
    const [usual, ...different] = entries.map(({ value }) => withUsual(field, value, circumstances));
    return { field: different.every((other) => other.usual === usual!.usual) ? usual! : field, value: first };
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
