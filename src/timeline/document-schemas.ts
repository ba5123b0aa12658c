import * as z from 'zod/mini';
import type { Field } from './field.ts';
import { FIELDS, type FieldOwner, type Values } from './fields.ts';
import { type Bound, boundOf, type TimelineLimits } from './limits.ts';

type Shape<Table> = {
  [Name in keyof Table]: Table[Name] extends { readonly required: true }
    ? z.ZodMiniType<Values<Table>[Name & keyof Values<Table>]>
    : z.ZodMiniOptional<z.ZodMiniType<NonNullable<Values<Table>[Name & keyof Values<Table>]>>>;
};

/** The schemas of all objects of a request, by their tables, and that of a title. */
export type RequestSchemas = {
  readonly [Owner in FieldOwner]: z.ZodMiniObject<Shape<(typeof FIELDS)[Owner]>>;
} & { readonly title: z.ZodMiniType<string> };

/**
 * The schemas of the three documents of a request, made of the rows of `FIELDS`.
 *
 * zod 4, because its schemas print as JSON Schema 2020-12, the dialect of OpenAPI 3.1. `zod/mini`, because the studio's
 * workers then contain only what they use of it. Its messages are not used: the error text of each leaf is the allowed
 * value ("a number from 0.1 to 10"), and check-schema.ts makes the sentence and the JSON Pointer around it.
 */
export function requestSchemas(limits: TimelineLimits): RequestSchemas {
  let schemas = made.get(limits);
  if (schemas === undefined) {
    schemas = new SchemaMaker(limits).all();
    made.set(limits, schemas);
  }
  return schemas;
}

/** Making them takes longer than checking most requests. */
const made = new WeakMap<TimelineLimits, RequestSchemas>();

/** Longer names are of no use. */
const LONGEST_NAME = 1000;

const HEX_COLOR = 'a colour of the form "#rrggbb"';
const BITRATE = 'a number from 32 to 512 (kbit/s), or a text such as "192k"';

class SchemaMaker {
  readonly #limits: TimelineLimits;
  readonly #made = new Map<string, z.ZodMiniObject>();

  constructor(limits: TimelineLimits) {
    this.#limits = limits;
  }

  all(): RequestSchemas {
    const schemas = Object.keys(FIELDS).map((owner) => [owner, this.#table(owner)]);
    return { ...Object.fromEntries(schemas), title: this.#text('maxTextLength') } as unknown as RequestSchemas;
  }

  /** @param allowed what messages say instead of the type. */
  #table(owner: string, allowed?: string): z.ZodMiniObject {
    const key = `${owner} ${allowed}`;
    let schema = this.#made.get(key);
    if (schema === undefined) {
      const rows: Readonly<Record<string, Field>> = FIELDS[owner as FieldOwner];
      const shape = Object.entries(rows).map(([name, field]) => {
        const type = this.#type(field);
        return [name, field.required === true ? type : z.optional(type)];
      });
      schema = z.object(Object.fromEntries(shape) as Record<string, z.ZodMiniType>, allowed);
      this.#made.set(key, schema);
    }
    return schema;
  }

  #type(field: Field): z.ZodMiniType {
    const { choices = NO_CHOICES, allowed } = field;
    const of = field.of ?? '';
    switch (field.type) {
      case 'number':
      case 'positive':
      case 'whole':
        return this.#number(field);
      case 'flag':
        return z.boolean('true or false');
      case 'color':
        return hexColor(HEX_COLOR);
      case 'choice':
      case 'alignment':
        return z.enum(choices, oneOf(choices));
      case 'text':
        return this.#text('maxTextLength');
      case 'id':
      case 'file':
      case 'font':
      case 'sound':
      case 'row':
      case 'clip':
        return this.#text(LONGEST_NAME);
      case 'bitrate':
        return z.union(
          [
            z.number(BITRATE).check(z.gte(32, BITRATE), z.lte(512, BITRATE)),
            z.string(BITRATE).check(z.regex(/^(3[2-9]|[4-9][0-9]|[1-4][0-9]{2}|50[0-9]|51[0-2])k$/, BITRATE)),
          ],
          BITRATE,
        );
      case 'object':
        return this.#table(of, allowed);
      case 'named': {
        const names = oneOf(choices);
        return z.union(
          [z.enum(choices, names), this.#table(of, allowed)],
          allowed ?? `${names}, or an object based on one of them`,
        );
      }
      case 'color-or-kind': {
        const either = `${HEX_COLOR}, or an object with a kind`;
        return z.union([hexColor(either), this.#table(of)], either);
      }
      case 'by-preset':
        return z.record(this.#text(LONGEST_NAME), this.#table(of, 'an object'), 'an object');
      case 'choice-by-id':
        return z.record(this.#text(LONGEST_NAME), z.enum(choices, oneOf(choices)), 'an object');
      case 'list':
        return this.#list(this.#table(of, allowed), field.max ?? 0);
      case 'ids':
        return this.#list(this.#text(LONGEST_NAME), field.max ?? 0);
      case 'colors': {
        const { min = 0, max = 0 } = field;
        const some = `a list of ${min} to ${max} colours of the form "#rrggbb"`;
        return z.array(hexColor(HEX_COLOR), some).check(z.minLength(min, some), z.maxLength(Number(max), some));
      }
    }
  }

  #number({ type, from = 0, to = 0, allowed }: Field): z.ZodMiniType {
    const [min, max] = [boundOf(from, this.#limits), boundOf(to, this.#limits)];
    if (type === 'positive') {
      const above = allowed ?? `a number above 0, up to ${max}`;
      return z.number(above).check(z.gt(0, above), z.lte(max, above));
    }
    const within = allowed ?? `a ${type === 'whole' ? 'whole number' : 'number'} from ${min} to ${max}`;
    const limits = [z.gte(min, within), z.lte(max, within)] as const;
    return z.number(within).check(...(type === 'whole' ? [z.int(within), ...limits] : limits));
  }

  #text(longest: Bound): z.ZodMiniType<string> {
    const length = boundOf(longest, this.#limits);
    const allowed = `a text of at most ${length} characters`;
    return z.string(allowed).check(z.maxLength(length, allowed));
  }

  #list(entry: z.ZodMiniType, longest: Bound): z.ZodMiniType {
    const max = boundOf(longest, this.#limits);
    const allowed = `a list of at most ${max}`;
    return z.array(entry, allowed).check(z.maxLength(max, allowed));
  }
}

const NO_CHOICES = [''] as const;

function hexColor(allowed: string): z.ZodMiniType<string> {
  return z.string(allowed).check(z.regex(/^#[0-9a-fA-F]{6}$/, allowed));
}

function oneOf(choices: readonly string[]): string {
  return `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`;
}

type Fields = typeof FIELDS;
export type RawAuto = Values<Fields['auto']>;
export type RawVideo = Values<Fields['video']>;
export type RawAudio = Values<Fields['audio']>;
export type RawSoundtrack = Values<Fields['soundtrack']>;
export type RawBlock = Values<Fields['block']>;
export type RawTile = Values<Fields['tile']>;
export type RawSubtitle = Values<Fields['subtitle']>;
export type RawSubtitleFile = Values<Fields['subtitleFile']>;
export type RawRow = Values<Fields['row']>;
export type RawItem = Values<Fields['item']>;
export type RawSettings = Values<Fields['settings']>;
