import * as z from 'zod/mini';
import type { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';

/** Longer keys are named in the warning only: a pointer of a megabyte is of no use. */
const LONGEST_KEY_IN_PATH = 128;

/** A warning about an unknown field lists all fields of its object if there are no more than this. */
const FEW_FIELDS = 12;

/**
 * Checks one object of the request and reports all of its errors. Returns it typed, without the invalid fields, so that
 * the rest can be checked further; undefined if it is useless without them. Warns about fields that are not in the
 * schema and drops them. (C5, C6)
 */
export function checkObject<S extends z.core.$ZodObject>(
  schema: S,
  value: unknown,
  path: string,
  issues: IssueList,
): z.infer<S> | undefined {
  if (!isObject(value)) {
    issues.error(path, 'field.type', `${nameOf(path)} must be an object, not ${shownValue(value)}.`);
    return undefined;
  }
  warnUnknownWithin(schema, value, path, issues);
  const checked = z.safeParse(schema, value);
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues) report(issue, value, path, issues);
  const wrong = new Set(checked.error.issues.map((issue) => issue.path[0]));
  const right = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.has(key)));
  const standIns = Object.fromEntries(Object.entries(STAND_INS).filter(([key]) => wrong.has(key)));
  return z.safeParse(schema, right).data ?? z.safeParse(schema, { ...right, ...standIns }).data;
}

/** Stand-in values of missing required fields, so that the rest of their entry can be checked. */
const STAND_INS = { start: 0, duration: 1, position: 0, text: '' };

/** Warns about every field of `value` that is not in `known`. (C6) */
export function warnUnknown(
  value: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  path: string,
  issues: IssueList,
): void {
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue;
    const place = key.length > LONGEST_KEY_IN_PATH ? path : pointer(path, key);
    const names = known.size <= FEW_FIELDS ? ` Known fields: ${[...known].join(', ')}.` : '';
    const message = `${shownText(key)} is an unknown field and is ignored.${issues.hint(key, known) || names}`;
    issues.warn(place, 'field.unknown', message);
  }
}

/** The same for an object and the objects inside it, as deep as the schema goes. */
function warnUnknownWithin(schema: z.core.$ZodType, value: unknown, path: string, issues: IssueList): void {
  if (!isObject(value)) return;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional') warnUnknownWithin(def.innerType, value, path, issues);
  else if (def.type === 'union') {
    for (const option of def.options) warnUnknownWithin(option, value, path, issues);
  } else if (def.type === 'record') {
    for (const [key, inner] of Object.entries(value)) {
      warnUnknownWithin(def.valueType, inner, pointer(path, key), issues);
    }
  } else if (def.type === 'object') {
    const names = namesIn(schema as z.core.$ZodObject);
    warnUnknown(value, names, path, issues);
    for (const key of names) {
      // Thousands of entries have only plain values: a pointer is made only if there are inner values.
      const inner = Object.hasOwn(value, key) ? value[key] : undefined;
      if (isObject(inner)) warnUnknownWithin(def.shape[key]!, inner, pointer(path, key), issues);
    }
  }
}

const namesBySchema = new WeakMap<z.core.$ZodObject, ReadonlySet<string>>();

function namesIn(schema: z.core.$ZodObject): ReadonlySet<string> {
  let names = namesBySchema.get(schema);
  if (names === undefined) {
    names = new Set(Object.keys(schema._zod.def.shape));
    namesBySchema.set(schema, names);
  }
  return names;
}

function report(issue: z.core.$ZodIssue, value: unknown, path: string, issues: IssueList): void {
  const keys = issue.path.filter((key) => typeof key !== 'symbol');
  // For a union, the errors inside the matching alternative are more useful than "matches none".
  const inside =
    issue.code === 'invalid_union' ? issue.errors.find((of) => of.every((one) => one.path.length > 0)) : undefined;
  if (inside !== undefined && inside.length > 0) {
    for (const one of inside) report({ ...one, path: [...issue.path, ...one.path] }, value, path, issues);
    return;
  }
  const found = keys.reduce<unknown>(
    (at, key) => (isObject(at) || Array.isArray(at) ? Reflect.get(at, key) : undefined),
    value,
  );
  const place = pointer(path, ...keys);
  if (found === undefined) {
    const parent = pointer(path, ...keys.slice(0, -1));
    issues.error(
      parent,
      'field.required',
      `${shownText(String(keys.at(-1)))} is missing: it must be ${issue.message}.`,
    );
    return;
  }
  issues.error(
    place,
    issue.code === 'invalid_union' && typeof found === 'string' ? 'field.choice' : (CODES[issue.code] ?? 'field.type'),
    `${nameOf(place)} must be ${issue.message}, not ${shownValue(found)}.`,
  );
}

/** zod's kinds of issue, in our words. */
const CODES: Readonly<Partial<Record<z.core.$ZodIssue['code'], string>>> = {
  too_small: 'field.range',
  too_big: 'field.range',
  invalid_format: 'field.format',
  invalid_value: 'field.choice',
};

/** The last meaningful step of a pointer: `speed`, or `videos/0` for a whole entry. */
function nameOf(path: string): string {
  const steps = path.split('/').slice(1);
  const last = steps.at(-1) ?? 'The request';
  return /^\d+$/.test(last) ? steps.slice(-2).join('/') : last;
}
