import type { OpenApiDocument } from '../../openapi/document.ts';
import { type Html, html, prose } from '../html.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}

interface Content {
  readonly schema: SchemaObject;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A video without files: what a reader edits first. */
const FIRST_REQUEST = {
  tier_list: {
    title: 'Breakfasts, ranked',
    rows: [
      { id: 's', label: 'S', color: '#ff7f7f', item_ids: ['pancakes'] },
      { id: 'a', label: 'A', color: '#ffbf7f', item_ids: ['porridge', 'toast'] },
      { id: 'f', label: 'F', color: '#7fbfff', item_ids: ['nothing'] },
    ],
    items: [
      { id: 'pancakes', name: 'Pancakes' },
      { id: 'porridge', name: 'Porridge' },
      { id: 'toast', name: 'Toast' },
      { id: 'nothing', name: 'Nothing' },
    ],
  },
  timeline_data: { auto: { seconds_per_item: 2 } },
  settings: { theme: 'pop', quality: 'draft' },
} as const;

/** Edits and sends a request; `try-request.js` shows it. */
function editor(): Html {
  return html`<section id="try" aria-labelledby="try-title" hidden><h2 id="try-title">Try it</h2>
<p>Edit a request and send it to this service. <em>Show the frame</em> draws a frame of the video that the body describes, and keeps nothing.
Every endpoint below has a button that puts it here.</p>
<form class="try"><div class="line">
<label>Method<select name="method">${['POST', 'GET', 'PUT', 'PATCH', 'DELETE'].map((name) => html`<option>${name}</option>`)}</select></label>
<label class="long">Address<input name="path" value="/video/exports/validate" spellcheck="false" autocomplete="off" required></label>
<label>API key<input name="key" type="password" autocomplete="off" placeholder="if it asks for one"></label></div>
<label>Body<textarea name="body" rows="16" spellcheck="false" autocomplete="off">${shownJson(FIRST_REQUEST)}</textarea></label>
<div class="line"><button name="send">Send</button><button name="frame" class="plain">Show the frame</button>
<label class="at">at <input name="at" type="number" value="5" min="0" step="0.1"> s</label></div></form>
<output aria-live="polite"></output><img alt="The frame of the request" hidden><pre tabindex="0" aria-label="Response"></pre></section>
<script src="/assets/docs/try-request.js" type="module"></script>`;
}

/** The OpenAPI document as a page: every endpoint, and a table of fields for every schema. */
export function apiPage({ paths, components }: OpenApiDocument): Html {
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => operationHtml(method.toUpperCase(), path, operation as Operation, components)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<h3 id="${name}"><code>${name}</code></h3>${schemaTable(schema, components.schemas)}`,
  );
  return html`<h1>Endpoints and schemas</h1>
<p>This page shows <a href="/openapi.json">openapi.json</a>, which every deployment has. The limits of this one are at <a href="/limits">/limits</a>, the error codes on
<a href="/docs/errors">Errors</a>.</p>
${editor()}
<h2 id="endpoints">Endpoints</h2>${endpoints}
<h2 id="schemas">Schemas</h2>${schemas}`;
}

function operationHtml(
  method: string,
  path: string,
  { operationId, summary, description, parameters = [], requestBody, responses }: Operation,
  { responses: shared, schemas }: OpenApiDocument['components'],
): Html {
  const rows = Object.entries(responses).map(([status, { description: text, $ref }]) => {
    const said = text ?? shared[$ref?.split('/').at(-1) ?? '']?.description;
    return html`<tr><th scope="row">${status}</th><td>${prose(said ?? '')}</td></tr>`;
  });
  return html`<details class="card" id="${operationId ?? path}"><summary><span class="method">${method}</span> <code>${path}</code> – ${prose(summary ?? '')}</summary>
${description !== undefined && html`<p>${prose(description)}</p>`}
${triedBody(requestBody?.content)}<p><button class="plain" type="button" data-try="${method}" hidden>Try it</button></p>
${
  parameters.length > 0 &&
  html`<h4>Parameters</h4><table class="fields"><tbody>${parameters.map(
    (parameter) =>
      html`<tr><th scope="row"><code>${parameter.name}</code></th><td>${parameter.in}</td><td>${prose(parameter.description ?? '')}</td></tr>`,
  )}</tbody></table>`
}
${
  requestBody !== undefined &&
  html`<h4>Body</h4>${Object.entries(requestBody.content).map(
    ([type, { schema }]) => html`<p><code>${type}</code></p>${schemaTable(schema, schemas)}`,
  )}`
}
<h4>Responses</h4><table class="fields"><tbody>${rows}</tbody></table></details>`;
}

/** The example of a JSON body, for the editor. */
function triedBody(content: Readonly<Record<string, Content>> = {}): Html | null {
  const [example] = Object.values(content['application/json']?.examples ?? {});
  if (example === undefined) return null;
  return html`<pre class="example" tabindex="0">${shownJson(example.value)}</pre>`;
}

/** Characters of a line of JSON. */
const LINE = 76;

/** JSON for readers: what fits into a line is one. */
function shownJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? '[]' : '{}';
  const inner = `${indent}  `;
  const entries = Object.entries(value).map(
    ([name, entry]) => (isList ? '' : `${JSON.stringify(name)}: `) + shownJson(entry, inner),
  );
  const space = isList || entries.length === 0 ? '' : ' ';
  const line = `${open}${space}${entries.join(', ')}${space}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= LINE) return line;
  return `${open}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close}`;
}

/** The part of JSON Schema that our OpenAPI document uses. */
interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SchemaObject;
  readonly items?: SchemaObject;
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly allOf?: readonly SchemaObject[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly deprecated?: boolean;
}

type Schemas = Readonly<Record<string, SchemaObject>>;

/**
 * A table of the fields of a schema; fields of nested objects follow their parent. A field without a description has
 * that of the schema it refers to.
 */
function schemaTable(schema: SchemaObject, schemas: Schemas): Html {
  const fields = fieldsOf(schema, '', schemas);
  const description = schema.description !== undefined && html`<p>${prose(schema.description)}</p>`;
  if (fields.length === 0) return html`${description}<p>${typeText(schema)}${limitsText(schema)}</p>`;
  return html`${description}<div class="wide"><table class="fields"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields}</tbody></table></div>`;
}

function fieldsOf(schema: SchemaObject, prefix: string, schemas: Schemas): Html[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const description = field.description ?? schemas[nameOf(field.$ref ?? '')]?.description ?? '';
    const isRequired = schema.required?.includes(name) ?? false;
    const row = html`<tr><th scope="row"><code>${path}</code></th>
<td>${typeText(field)}${isRequired && html`<br><strong>required</strong>`}</td>
<td>${prose(description)}${limitsText(field)}</td></tr>`;
    return [row, ...fieldsOf(field, `${path}.`, schemas)];
  });
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, prefix.replace(/\.$/, '[].'), schemas);
  const entries =
    typeof schema.additionalProperties === 'object'
      ? fieldsOf(schema.additionalProperties, `${prefix}*.`, schemas)
      : [];
  return [...own, ...items, ...entries, ...alternatives(schema).flatMap((each) => fieldsOf(each, prefix, schemas))];
}

/** The name of a schema at the end of a reference. */
function nameOf(reference: string): string {
  return reference.split('/').at(-1)!;
}

function alternatives({ anyOf = [], oneOf = [], allOf = [] }: SchemaObject): readonly SchemaObject[] {
  return [...anyOf, ...oneOf, ...allOf];
}

function typeText(schema: SchemaObject): Html {
  const { $ref, type, items, format } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return html`<a href="#${name}">${name}</a>`;
  }
  const others = alternatives(schema);
  if (others.length > 0)
    return html`${others.map((each, n) => html`${n > 0 && (schema.allOf ? ' and ' : ' or ')}${typeText(each)}`)}`;
  if (type === 'array' && items !== undefined) return html`array of ${typeText(items)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  return html`${typeof type === 'object' ? type.join(' or ') : (type ?? 'any')}${format !== undefined && ` (${format})`}`;
}

/** The limits of a value. */
function limitsText(schema: SchemaObject): Html {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems, pattern, deprecated } = schema;
  const choices = schema.enum?.flatMap((value, n) => [n > 0 && ', ', html`<code>${String(value)}</code>`]);
  const limits = [
    minimum !== undefined && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    maximum !== undefined && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} entries`,
    deprecated === true && 'deprecated',
  ].filter((text) => text !== false);
  return html`${choices !== undefined && html` One of ${choices}.`}${limits.length > 0 && html` <span class="quiet">(${limits.join(', ')})</span>`}${
    pattern !== undefined && html` <span class="quiet">Pattern <code>${pattern}</code></span>`
  }`;
}
