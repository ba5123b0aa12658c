import type { FieldDescription } from './field-descriptions.ts';

type Values = Readonly<Record<string, unknown>>;

/** A copy with a field changed; undefined where nothing is left. */
export function withField(object: Values, name: string, value: unknown): Record<string, unknown> | undefined {
  const next = { ...object, [name]: value };
  if (value === undefined) delete next[name];
  return Object.keys(next).length === 0 ? undefined : next;
}

/**
 * The same of an object that may be absent, such as a transition. It goes with a choice that it cannot be without; where such a choice
 * is still to be made, it gets the first.
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

/** Whether it is a choice that its object cannot be without. */
export function isNeeded({ required, control }: FieldDescription): boolean {
  return required && control.kind === 'choice';
}

/** What is chosen of a field that is a name or an object: a name, or that it is neither of them. */
export function styleOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? 'custom' : undefined;
}
