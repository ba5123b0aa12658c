import type { OpenApiDocument } from '../../openapi/document.ts';
import { type Html, html, prose } from '../html.ts';
import { type SchemaObject, schemaTable } from './schema-table.ts';

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: SchemaObject }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
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
<p>This page shows <a href="/openapi.json">openapi.json</a> of this deployment. Its limits are at <a href="/limits">/limits</a>, the error codes on
<a href="/docs/errors">Errors</a>.</p>
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
