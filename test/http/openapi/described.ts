import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Service } from '../serve.ts';

const require = createRequire(import.meta.url);

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Reply> }>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Reply>> };
}

interface Reply {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Compares real responses of a service with its own description. */
export class DescribedReplies {
  readonly #document: Described;
  readonly #ajv: {
    compile(schema: object): ((body: unknown) => boolean) & { errors?: unknown };
  };

  static async of({ base }: Service): Promise<DescribedReplies> {
    return new DescribedReplies((await (await fetch(`${base}/openapi.json`)).json()) as Described);
  }

  private constructor(document: Described) {
    const { Ajv2020 } = require('ajv/dist/2020');
    this.#document = document;
    this.#ajv = new Ajv2020({ strict: false, allErrors: true });
    require('ajv-formats').default(this.#ajv);
    (this.#ajv as unknown as { addSchema(schema: object, key: string): void }).addSchema(document, 'openapi');
  }

  /** Every operation, as `GET /video/exports/{id}`. */
  get operations(): string[] {
    return Object.entries(this.#document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** Reads a reply. @throws where its status, its type, its body or a header of ours is not as described. */
  async check(operation: string, reply: Response): Promise<unknown> {
    const [method, path] = operation.split(' ') as [string, string];
    const described = this.#document.paths[path]?.[method.toLowerCase()]?.responses[reply.status];
    const where = `${operation} ${reply.status}`;
    assert.ok(described !== undefined, `${where} is not described`);
    const { content, headers } = this.#resolve(described);
    assert.ok(headers?.['X-Request-Id'] !== undefined && reply.headers.has('x-request-id'), where);
    for (const name of ['etag', 'location', 'retry-after', 'preference-applied', 'set-cookie', 'link', 'allow']) {
      const known = Object.keys(headers ?? {}).some((header) => header.toLowerCase() === name);
      if (reply.headers.has(name)) assert.ok(known, `${where} has ${name}, which is not described`);
    }
    const bytes = Buffer.from(await reply.arrayBuffer());
    if (bytes.length === 0) return null;
    const type = /^[^;]*/.exec(reply.headers.get('content-type') ?? '')![0];
    const media = content?.[type];
    assert.ok(media !== undefined, `${where}: ${type} is not described`);
    if (!/json$/.test(type)) return bytes;
    const body = JSON.parse(bytes.toString());
    this.#validate(media.schema, body, where);
    return body;
  }

  /** @throws where `body` is not as the schema of that name says. */
  checkSchema(name: string, body: unknown): void {
    this.#validate({ $ref: `#/components/schemas/${name}` }, body, name);
  }

  #validate(schema: object | undefined, body: unknown, where: string): void {
    const validate = this.#ajv.compile(rooted(schema));
    assert.ok(validate(body), `${where}: ${JSON.stringify(validate.errors)} ${JSON.stringify(body)}`);
  }

  #resolve(reply: Reply): Reply {
    return reply.$ref === undefined ? reply : this.#document.components.responses[reply.$ref.split('/').at(-1)!]!;
  }
}

/** References of the document seen from outside of it. */
function rooted(schema: object | undefined): object {
  return JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"$ref":"#', '"$ref":"openapi#'));
}
