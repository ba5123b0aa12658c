/** A JSON Schema 2020-12, the dialect of OpenAPI 3.1. Where it has other schemas, it may have a `Schema`. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Describes values of type `T`. With a name it is a component of the OpenAPI document, and other schemas refer to it.
 */
export class Schema<T> {
  /** Only for the compiler: a description of a text does not describe one of two texts. */
  declare readonly valueType: (value: T) => T;
  readonly name: string | null;
  readonly json: JsonSchema | (() => JsonSchema);
  /** Beside the reference to a named one. */
  readonly beside: JsonSchema;
  readonly isOptional: boolean;

  constructor(json: Schema<T>['json'], { name = null, beside = {}, isOptional = false }: Partial<AnySchema> = {}) {
    this.json = json;
    this.name = name;
    this.beside = beside;
    this.isOptional = isOptional;
  }

  /** The same with the meaning that it has here. */
  about(description: string): Schema<T> {
    return new Schema<T>(this.json, { ...this, beside: { description } });
  }
}

/** Of any type. */
type AnySchema = Pick<Schema<unknown>, 'name' | 'json' | 'beside' | 'isOptional'>;

export type TypeOf<S> = S extends Schema<infer T> ? T : never;

/** Each field of a reply: what it is, and where it comes from. In the order in which they are sent. */
type Fields<View, T> = { readonly [K in keyof T]: readonly [Schema<T[K]>, (view: View) => NoInfer<T[K]>] };

/** One description of a reply: its type, what makes it of a view, its schema in the document. */
class Reply<View, T> extends Schema<T> {
  readonly #fields: readonly (readonly [string, (view: View) => unknown])[];

  constructor(fields: Fields<View, T>, description: string | null, name: string | null) {
    const all: [string, readonly [AnySchema, (view: View) => unknown]][] = Object.entries(fields as object);
    super(objectJson(Object.fromEntries(all.map(([field, [schema]]) => [field, schema])), description), { name });
    this.#fields = all.map(([field, [, read]]) => [field, read]);
  }

  /** Its fields in their order, without absent ones. */
  write(view: View): T {
    const written: Record<string, unknown> = {};
    for (const [field, read] of this.#fields) {
      const value = read(view);
      if (value !== undefined) written[field] = value;
    }
    return written as T;
  }
}

/** Describes what is made of a `View`: a component of the document, or an object within another. */
export function of<View>() {
  return {
    named: <T>(name: string, description: string, fields: Fields<View, T>) =>
      new Reply<View, T>(fields, description, name),
    object: <T>(fields: Fields<View, T>) => new Reply<View, T>(fields, null, null),
    /** Fields that several have. */
    fields: <T>(fields: Fields<View, T>) => fields,
  };
}

/** A component of the document that is no object, or whose values are made elsewhere. */
export function named<T>(name: string, json: Schema<T>['json']): Schema<T> {
  return new Schema<T>(json, { name });
}

/** An object whose values are made elsewhere. */
export function object<T>(
  properties: { readonly [K in keyof T]: Schema<T[K]> },
  { name = null, description = null }: { readonly name?: string | null; readonly description?: string | null } = {},
): Schema<T> {
  return new Schema<T>(objectJson(properties as Readonly<Record<string, AnySchema>>, description), { name });
}

/** A schema of requests, by its name. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function objectJson(properties: Readonly<Record<string, AnySchema>>, description: string | null): JsonSchema {
  const required = Object.keys(properties).filter((field) => !properties[field]!.isOptional);
  return { ...(description !== null && { description }), type: 'object', properties, required };
}

export function text(description?: string, more: JsonSchema = {}): Schema<string> {
  return new Schema({ type: 'string', ...more, ...(description !== undefined && { description }) });
}

export function number(description?: string, more: JsonSchema = {}): Schema<number> {
  return new Schema({ type: 'number', ...more, ...(description !== undefined && { description }) });
}

export function integer(description?: string, more: JsonSchema = {}): Schema<number> {
  return new Schema({ type: 'integer', ...more, ...(description !== undefined && { description }) });
}

export function flag(description: string): Schema<boolean> {
  return new Schema({ type: 'boolean', description });
}

export function constant<const T>(value: T, description: string): Schema<T> {
  return new Schema({ const: value, description });
}

export function choice<const T extends string>(choices: readonly T[], description: string): Schema<T> {
  return new Schema({ type: 'string', enum: choices, description });
}

export function list<T>(items: Schema<T>, description: string): Schema<readonly T[]> {
  return new Schema({ type: 'array', items, description });
}

/** Values by name. */
export function record<T>(values: Schema<T>, description?: string): Schema<Readonly<Record<string, T>>> {
  return new Schema({ type: 'object', additionalProperties: values, ...(description && { description }) });
}

/** A value for each of the three presets. The document does not name them: each deployment has its own. (C11) */
export function perPreset<T>(value: Schema<T>, description: string): Schema<Readonly<Record<string, T>>> {
  return record(value, `${description} By \`preset\` of \`/presets\`.`);
}

/** Absent if it does not apply. */
export function optional<T>(schema: Schema<T>): Schema<T | undefined> {
  return new Schema<T | undefined>(schema.json, { ...schema, isOptional: true });
}

/** null if it does not apply; for schemas with one type. */
export function nullable<T>({ json, beside }: Schema<T>): Schema<T | null> {
  const { type, ...others } = json as JsonSchema;
  return new Schema<T | null>({ type: [type, 'null'], ...others }, { beside });
}

/** Prints a document: each `Schema` in it as JSON. The named ones are defined once, in the order of their first use. */
export class SchemaPrinter {
  readonly definitions: Record<string, JsonSchema> = {};
  print<T>(value: T): T {
    return this.#printed(value) as T;
  }

  #printed(value: unknown): unknown {
    if (value instanceof Schema) return this.#schema(value);
    if (Array.isArray(value)) return value.map((each) => this.#printed(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#printed(each)]));
  }

  #schema({ name, json, beside }: AnySchema): JsonSchema {
    const whole = () => this.#printed(typeof json === 'function' ? json() : json) as JsonSchema;
    if (name === null) return { ...whole(), ...beside };
    if (!Object.hasOwn(this.definitions, name)) {
      // Its place is before those that it uses.
      this.definitions[name] = {};
      this.definitions[name] = whole();
    }
    return { $ref: `#/components/schemas/${name}`, ...beside };
  }
}

const OK: Schema<true> = constant(true, 'true: the request succeeded.');

/** The field `ok` of every successful response. */
export const SUCCEEDED = [OK, () => true as const] as const;

export const EXPORT_ID = text('The id of the export.', { format: 'uuid' });

/** From 0 to 1. */
export const SHARE = number('From 0 to 1; 1 only when the video is complete.', { minimum: 0, maximum: 1 });

export const SHA256_PATTERN = { pattern: '^[0-9a-f]{64}$' };

/** An address of this service. */
export function path(description?: string): Schema<string> {
  return text(description, { format: 'uri-reference' });
}

export function moment(description: string): Schema<string> {
  return text(description, { format: 'date-time' });
}

/** A time as in every reply. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** null stays null. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}

/** Milliseconds are precise enough. */
export function millis(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
