import type { FieldDescription } from './field-descriptions.ts';

type Values = Readonly<Record<string, unknown>>;

/** A copy with a field changed; undefined if it has no fields left. */
export function withField(object: Values, name: string, value: unknown): Record<string, unknown> | undefined {
  const next = { ...object, [name]: value };
  if (value === undefined) delete next[name];
  return Object.keys(next).length === 0 ? undefined : next;
}

/**
 * Like `withField`, for an object that may be absent, such as a transition. Clearing a required choice removes the object. A required
 * choice that is missing gets its first value.
 */
export function withInner(
  fields: readonly FieldDescription[],
  object: Values,
  name: string,
  value: unknown,
): Record<string, unknown> | undefined {
  const needed = fields.filter(isNeeded);
  if (value === undefined && needed.some((each) => each.name === name)) return undefined;
  const next = withField(object, name, value);
  if (next === undefined) return undefined;
  const first = needed.map(({ name: own, control }) => [own, control.kind === 'choice' && control.choices[0]]);
  return { ...Object.fromEntries(first), ...next };
}

/** Whether the field is a required choice of its object. */
export function isNeeded({ required, control }: FieldDescription): boolean {
  return required && control.kind === 'choice';
}

/** The choice of a field that is a name or an object: the name, or `custom`. */
export function styleOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? 'custom' : undefined;
}
