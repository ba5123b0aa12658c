import type { IssueList } from '../issue-list.ts';
import { isObject } from '../json/json-object.ts';
import { pointer } from '../json/json-pointer.ts';
import { shownText, shownValue } from '../json/shown-value.ts';

/** What a field takes. (C83) */
export const TEMPLATE_TYPES = ['text', 'number', 'color', 'choice', 'media', 'items'] as const;
type TemplateType = (typeof TEMPLATE_TYPES)[number];

/** The kinds of media that a field may ask for. */
const MEDIA_FIELD_KINDS = ['picture', 'video', 'sound'] as const;

/** A field of a template: what may be put in. */
export interface TemplateField {
  readonly name: string;
  readonly type: TemplateType;
  readonly label: string | null;
  readonly help: string | null;
  readonly required: boolean;
  /** As it was written; undefined: there is none. */
  readonly default: unknown;
  /** Of a number; null: no limit. */
  readonly min: number | null;
  /** Of a number; of a text, in characters; of items, how many. null: no limit of its own. */
  readonly max: number | null;
  /** Of a choice. */
  readonly options: readonly string[];
  /** Of a medium; null: any. */
  readonly kind: (typeof MEDIA_FIELD_KINDS)[number] | null;
}

/** How many fields a template may have, and how long their names and texts may be. */
const TEMPLATE_LIMITS = { fields: 200, name: 64, options: 200, label: 200, help: 2000 } as const;

interface FieldMember {
  /** The types that have it. */
  readonly of: readonly TemplateType[];
  readonly text: string;
  readonly allowed: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly is: (value: unknown) => boolean;
}

/** The members of a field besides its type. */
export const FIELD_MEMBERS: Readonly<Record<string, FieldMember>> = {
  label: { of: TEMPLATE_TYPES, text: 'What forms call it.', ...shortText(TEMPLATE_LIMITS.label) },
  help: { of: TEMPLATE_TYPES, text: 'What forms say about it.', ...shortText(TEMPLATE_LIMITS.help) },
  required: {
    of: TEMPLATE_TYPES,
    text: 'Whether a field without a default needs a value. Default: false.',
    allowed: 'true or false',
    // Without `default`, because generators treat a member with a default as always present.
    schema: { type: 'boolean' },
    is: (value) => typeof value === 'boolean',
  },
  default: {
    of: TEMPLATE_TYPES,
    text: 'The value if none is given.',
    allowed: 'a value of the field',
    schema: {},
    is: () => true,
  },
  min: {
    of: ['number'],
    text: 'The smallest number.',
    allowed: 'a number',
    schema: { type: 'number' },
    is: (value) => typeof value === 'number',
  },
  max: {
    of: ['text', 'number', 'items'],
    text: 'The largest number, the most characters of a text, or the most items.',
    allowed: 'a number',
    schema: { type: 'number' },
    is: (value) => typeof value === 'number',
  },
  options: {
    of: ['choice'],
    text: 'The texts to choose from.',
    allowed: `a list of 1 to ${TEMPLATE_LIMITS.options} different texts`,
    schema: {
      ...{ type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: TEMPLATE_LIMITS.options },
      uniqueItems: true,
    },
    is: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.length <= TEMPLATE_LIMITS.options &&
      value.every((one) => typeof one === 'string' && one !== '') &&
      new Set(value).size === value.length,
  },
  kind: {
    of: ['media'],
    text: 'What the medium is.',
    allowed: `one of ${MEDIA_FIELD_KINDS.join(', ')}`,
    schema: { type: 'string', enum: [...MEDIA_FIELD_KINDS] },
    is: (value) => MEDIA_FIELD_KINDS.some((kind) => kind === value),
  },
};

function shortText(max: number) {
  const is = (value: unknown) => typeof value === 'string' && value.length <= max;
  return { allowed: `a text of at most ${max} characters`, schema: { type: 'string', maxLength: max }, is };
}

/** A name can stand between braces: no brace, no space at its ends, no control character. */
const NAME = /^(?! )[^{}\p{Cc}]{1,64}(?<! )$/u;

/**
 * The fields of a template by name, in order; null: the project is no template, and has no placeholders. Wrong fields
 * are reported and left out. (C83)
 */
export function readFields(sent: unknown, issues: IssueList): ReadonlyMap<string, TemplateField> | null {
  if (sent === undefined) return null;
  if (!isObject(sent)) {
    issues.error('/fields', 'field.type', `fields must be an object from name to field, not ${shownValue(sent)}.`);
    return null;
  }
  const all = Object.entries(sent);
  if (all.length > TEMPLATE_LIMITS.fields) {
    const message = `The template has ${all.length} fields; ${TEMPLATE_LIMITS.fields} are allowed.`;
    issues.error('/fields', 'field.range', message);
    return null;
  }
  const fields = new Map<string, TemplateField>();
  for (const [name, value] of all) {
    const field = readField(name, value, issues);
    if (field !== null) fields.set(name, field);
  }
  const lists = [...fields.values()].filter(({ type }) => type === 'items');
  for (const { name } of lists.slice(1)) {
    const message = `The field ${shownText(lists[0]!.name)} already takes the items; a template has one such field.`;
    issues.error(pointer('/fields', name), 'template.items_twice', message);
  }
  return fields;
}

function readField(name: string, value: unknown, issues: IssueList): TemplateField | null {
  const path = pointer('/fields', name);
  if (!NAME.test(name)) {
    const message = `The name of a field has 1 to ${TEMPLATE_LIMITS.name} characters, no braces, and no space at its ends; ${shownText(name)} is none.`;
    issues.error(name.length > 2 * TEMPLATE_LIMITS.name ? '/fields' : path, 'template.field_name', message);
    return null;
  }
  if (!isObject(value)) {
    issues.error(path, 'field.type', `A field must be an object with a type, not ${shownValue(value)}.`);
    return null;
  }
  const type = TEMPLATE_TYPES.find((one) => one === value.type);
  if (type === undefined) {
    const message = `The type of a field must be one of ${TEMPLATE_TYPES.join(', ')}, not ${shownValue(value.type)}.`;
    if (value.type === undefined) issues.error(path, 'field.required', message);
    else issues.error(pointer(path, 'type'), 'field.choice', message);
    return null;
  }
  const right = readMembers(value, type, path, issues);
  if (right === null) return null;
  const { label = null, help = null, required = false, min = null, max = null, options = [], kind = null } = right;
  if (type === 'choice' && options.length === 0) {
    issues.error(path, 'field.required', '"options" is missing: it must be a list of texts.');
    return null;
  }
  if (max !== null && type !== 'number' && !(Number.isInteger(max) && max > 0)) {
    issues.error(pointer(path, 'max'), 'field.range', `max must be a whole number above 0, not ${max}.`);
    return null;
  }
  if (min !== null && max !== null && min > max) {
    issues.error(pointer(path, 'max'), 'field.range', `max must be at least min, ${min}, not ${max}.`);
    return null;
  }
  return { name, type, label, help, required, default: right.default, min, max, options, kind };
}

type Members = Partial<Omit<TemplateField, 'name' | 'type'>>;

/** The members that a field has; null if one of them is wrong. */
function readMembers(
  value: Readonly<Record<string, unknown>>,
  type: TemplateType,
  path: string,
  issues: IssueList,
): Members | null {
  const names = Object.keys(FIELD_MEMBERS).filter((name) => FIELD_MEMBERS[name]!.of.includes(type));
  const right: Record<string, unknown> = {};
  let isRight = true;
  for (const [name, given] of Object.entries(value)) {
    if (name === 'type') continue;
    if (!names.includes(name)) {
      const message = `${shownText(name)} is an unknown member of a field of type ${type} and is ignored.`;
      issues.warn(path, 'field.unknown', message + (issues.hint(name, names) || ` Known: ${names.join(', ')}.`));
    } else if (FIELD_MEMBERS[name]!.is(given)) right[name] = given;
    else {
      const message = `${name} must be ${FIELD_MEMBERS[name]!.allowed}, not ${shownValue(given)}.`;
      issues.error(pointer(path, name), 'field.type', message);
      isRight = false;
    }
  }
  return isRight ? (right as Members) : null;
}
