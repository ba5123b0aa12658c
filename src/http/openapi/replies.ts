/** A JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Responses by status. */
export type Responses = Readonly<Record<string, unknown>>;

/** Bodies by media type. */
type Content = Readonly<Record<string, object>>;

/** A schema of the document, by its name. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A response; each has the id of its request. */
export function reply(description: string, content?: Content, headers: object = {}): object {
  const all = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers };
  return { description, headers: all, ...(content && { content }) };
}

export function header(description: string, schema: JsonSchema = { type: 'string' }): object {
  return { description, schema };
}

/** A JSON body with one of the document's schemas, and named examples. */
export function json(name: string, examples?: Readonly<Record<string, object>>): Content {
  const shown = Object.entries(examples ?? {}).map(([title, value]) => [title, { value }]);
  return {
    'application/json': {
      schema: reference(name),
      ...(shown.length > 0 && { examples: Object.fromEntries(shown) }),
    },
  };
}

/** Bytes, declared in both ways: generators of 3.0 read `format`, those of 3.1 `contentMediaType`. */
export function binary(type: string): Content {
  return { [type]: { schema: { type: 'string', format: 'binary', contentMediaType: type } } };
}

/** A text with a media type. */
export function textContent(type: string, example?: string): Content {
  return { [type]: { schema: { type: 'string' }, ...(example !== undefined && { example }) } };
}
