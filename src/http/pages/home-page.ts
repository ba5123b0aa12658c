import { EXAMPLE_REQUEST } from '../openapi/example-request.ts';
import type { HttpConfig } from '../server/http-config.ts';
import { html } from './html.ts';
import { pageLayout } from './page-layout.ts';

/** What this is, and a form to try it with. The form works without script as well: it leads to the export's page. */
export function homePage({ presets, apiKeys }: Pick<HttpConfig, 'presets' | 'apiKeys'>): string {
  const shapes = presets.map(({ name, width, height }) => html`<li><code>${name}</code>: ${width} × ${height}</li>`);
  const main = html`<h1>Tier lists, as videos</h1>
<p>Send a tier list, a timeline and the media they name in one request. Get one MP4: your clips, the board that fills as the
items are revealed, subtitles, sound. In three shapes, each laid out anew:</p>
<ul>${shapes}</ul>
<h2 id="try">Try it</h2>
<form id="form" class="card" method="post" action="/video/exports" enctype="multipart/form-data">
<p>The example below works as it is: pictures that are missing are drawn for you. Change it, or drop JSON files and media of
your own.</p>
<label for="tier_list">Tier list</label>
<textarea id="tier_list" name="tier_list" spellcheck="false">${readableJson(EXAMPLE_REQUEST.tier_list)}</textarea>
<label for="timeline_data">Timeline</label>
<textarea id="timeline_data" name="timeline_data" spellcheck="false">${readableJson(EXAMPLE_REQUEST.timeline_data)}</textarea>
<label for="settings">Settings</label>
<textarea id="settings" name="settings" spellcheck="false">${readableJson(EXAMPLE_REQUEST.settings)}</textarea>
<label for="files">Media and JSON files</label>
<div id="drop" class="drop"><input id="files" type="file" multiple aria-describedby="files-help">
<p id="files-help" class="quiet">A file is sent under its name without the ending: <code>clip.mp4</code> as <code>clip</code>.
<code>tier_list.json</code>, <code>timeline_data.json</code> and <code>settings.json</code> fill the fields above.</p>
<ul id="chosen"></ul></div>
${
  apiKeys.length > 0 &&
  html`<label for="key">API key</label><input id="key" type="password" autocomplete="current-password" aria-describedby="key-help">
<p id="key-help" class="quiet">Once is enough: this browser is then known for some hours.</p>`
}
<div class="actions"><button id="send" type="submit">Make the video</button>
<button id="check" type="button" class="plain">Only check it</button>
<button id="reset" type="reset" class="plain">Back to the example</button></div>
</form>
<div id="result" role="status" aria-live="polite"></div>`;
  return pageLayout({ title: 'Tiercut – tier lists, as videos', main, script: '/assets/home.js' });
}

/** JSON with a line for each field of the document and for each entry of its lists. */
function readableJson(document: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(document).map(([name, value]) => {
    const entries = Array.isArray(value) && value.length > 0 ? value.map((entry) => `    ${onOneLine(entry)}`) : null;
    return `  ${JSON.stringify(name)}: ${entries === null ? onOneLine(value) : `[\n${entries.join(',\n')}\n  ]`}`;
  });
  return `{\n${fields.join(',\n')}\n}`;
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/\[ (.*?) \]/g, '[$1]');
}
