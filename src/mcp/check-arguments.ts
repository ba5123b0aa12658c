import { ExportError, type Issue } from '../errors.ts';
import { pointer } from '../timeline/json/json-pointer.ts';
import { nearestName } from '../timeline/json/nearest-name.ts';
import { shownText, shownValue } from '../timeline/json/shown-value.ts';

/** As much of JSON Schema as describes the arguments of tools. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  /** A document: the service checks it, and names every error. */
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, unknown>>;
}

/** More would not help anybody. */
const MAX_ISSUES = 50;

type Issues = { readonly missing: Issue[]; readonly wrong: Issue[] };

/** Checks the arguments of a call. @throws `mcp.arguments` with all errors, first what is missing. */
export function checkArguments(schema: JsonSchema, sent: unknown): void {
  const issues: Issues = { missing: [], wrong: [] };
  check(schema, sent, '', issues);
  const all = [...issues.missing, ...issues.wrong].slice(0, MAX_ISSUES);
  if (all.length === 0) return;
  throw new ExportError(
    'invalid',
    'mcp.arguments',
    all
      .map(({ message }) => message)
      .slice(0, 5)
      .join(' '),
    {
      issues: all,
    },
  );
}

function check(schema: JsonSchema, value: unknown, path: string, issues: Issues): void {
  if (issues.missing.length + issues.wrong.length >= MAX_ISSUES) return;
  const fault = faultOf(schema, value);
  if (fault !== null) {
    const [code, message] = fault;
    issues.wrong.push({ path, code, message: `${named(path)} ${message}` });
    return;
  }
  // What may be of several shapes, and the documents, are checked by what takes them.
  if (schema.anyOf !== undefined || schema.$ref !== undefined) return;
  if (Array.isArray(value)) {
    for (const [n, item] of value.entries()) check(schema.items ?? {}, item, pointer(path, String(n)), issues);
  } else if (typeof value === 'object' && value !== null) {
    checkObject(schema, value as Record<string, unknown>, path, issues);
  }
}

/** What is wrong with a value itself. */
function faultOf(schema: JsonSchema, value: unknown): readonly [code: string, message: string] | null {
  const type = schema.$ref === undefined ? schema.type : 'object';
  if (!isOfType(type, value)) return ['field.type', `must be ${shownType(type)}, not ${shownValue(value)}.`];
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, enum: choices } = schema;
  if (choices !== undefined && !choices.includes(value as string)) {
    return ['field.choice', `must be one of ${choices.join(', ')}, not ${shownValue(value)}.`];
  }
  if (typeof value === 'number' && (value < minimum || value > maximum)) {
    const allowed = maximum === Number.POSITIVE_INFINITY ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
    return ['field.range', `must be ${allowed}, not ${value}.`];
  }
  if (typeof value === 'string' && value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY)) {
    return ['field.range', `may have ${schema.maxLength} characters, not ${value.length}.`];
  }
  return null;
}

function checkObject(
  { properties = {}, required = [], additionalProperties: others = true }: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  issues: Issues,
): void {
  for (const name of required.filter((each) => !Object.hasOwn(value, each))) {
    const { description = '' } = properties[name] ?? {};
    const message = `${shownText(name)} is missing. ${description}`.trim();
    issues.missing.push({ path, code: 'field.required', message });
  }
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : others;
    if (typeof known === 'object') check(known, member, pointer(path, name), issues);
    if (known !== false) continue;
    const names = Object.keys(properties);
    const near = name.length > 64 ? null : nearestName(name, names);
    const hint = near === null ? `Known: ${names.join(', ')}.` : `Did you mean ${shownText(near)}?`;
    const message = `${shownText(name)} is no argument of this tool. ${hint}`;
    issues.wrong.push({ path: pointer(path, name.slice(0, 64)), code: 'field.unknown', message });
    if (issues.wrong.length >= MAX_ISSUES) return;
  }
}

function isOfType(type: JsonSchema['type'], value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function shownType(type: JsonSchema['type']): string {
  if (type === 'integer') return 'a whole number';
  if (type === 'string') return 'a text';
  if (type === 'array' || type === 'object') return `an ${type}`;
  return type === 'boolean' ? 'true or false' : 'a number';
}

function named(path: string): string {
  return path === '' ? '"arguments"' : shownText(path.slice(1));
}
