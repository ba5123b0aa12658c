import type { OpenApiDocument } from '../openapi/document.ts';
import { type Html, html, prose } from './html.ts';
import { pageLayout } from './page-layout.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}

/** The API description as a page: nothing but HTML, made once at start. */
export function docsPage(document: OpenApiDocument): string {
  const { paths, components } = document;
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => operationHtml(method.toUpperCase(), path, operation as Operation, components)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      html`<details id="${name}"><summary><code>${name}</code></summary><pre>${JSON.stringify(schema, null, 2)}</pre></details>`,
  );
  const main = html`<h1>The API</h1>
<p>Send a form with <code>tier_list</code>, <code>timeline_data</code>, optional <code>settings</code>, and one file for every
<code>file_field</code> they name; get the addresses of three MP4s. The same in machine-readable form:
<a href="/openapi.json">openapi.json</a>. Limits of this deployment: <a href="/limits">limits</a>. Codes:
<a href="/docs/errors">errors</a>.</p>
<pre>curl -H 'Accept: application/json' \\
  -F tier_list=@tier_list.json -F timeline_data=@timeline.json -F settings=@settings.json \\
  -F clip_1=@clip.mp4 -F item_picture=@picture.png \\
  http://localhost:8080/video/exports</pre>
<h2>Routes</h2>${routes}
<h2>Schemas</h2>${schemas}`;
  return pageLayout({ title: 'API – Tiercut', main });
}

function operationHtml(
  method: string,
  path: string,
  { summary, description, parameters = [], requestBody, responses }: Operation,
  { responses: shared }: OpenApiDocument['components'],
): Html {
  const answers = Object.entries(responses).map(([status, { description: text, $ref }]) => {
    const said = text ?? shared[$ref?.split('/').at(-1) ?? '']?.description;
    return html`<tr><th scope="row">${status}</th><td>${prose(said ?? '')}</td></tr>`;
  });
  return html`<details class="card"><summary><span class="method">${method}</span> <code>${path}</code> – ${prose(summary ?? '')}</summary>
${description !== undefined && html`<p>${prose(description)}</p>`}
${
  parameters.length > 0 &&
  html`<h3>Parameters</h3><ul>${parameters.map(
    (parameter) =>
      html`<li><code>${parameter.name}</code> (${parameter.in}) ${prose(parameter.description ?? '')}</li>`,
  )}</ul>`
}
${requestBody !== undefined && html`<h3>Body</h3><pre>${JSON.stringify(requestBody.content, null, 2)}</pre>`}
<h3>Answers</h3><table><tbody>${answers}</tbody></table></details>`;
}
