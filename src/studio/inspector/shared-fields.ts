import type { Described, FieldDescription } from './field-descriptions.ts';

/** Fields that are specific to one entry: its time, file and text. Lists and overrides by preset cannot be edited for several. */
const OWN =
  /^(id|start|position|stamp_at|text|words|tier_item_id|file_field|volume_points|index|to_row|trim_start|trim_end)$/;
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
): readonly SharedField[] {
  const kinds = [...new Set(entries.map(({ kind }) => kind))];
  const isShared = (field: FieldDescription) =>
    !OWN.test(field.name) &&
    !OWN_CONTROLS.test(field.control.kind) &&
    kinds.every((kind) =>
      fields[kind].some((other) => other.name === field.name && isSame(other.control, field.control)),
    );
  return fields[kinds[0]!].filter(isShared).map((field) => {
    const [first, ...others] = entries.map(({ value }) => (value as Readonly<Record<string, unknown>>)[field.name]);
    const mixed = others.some((other) => !isSame(other, first));
    return mixed ? { field: { ...field, mixed }, value: undefined } : { field, value: first };
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
