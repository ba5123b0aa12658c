import type { ExportMetadata } from '../replies/export-replies.ts';
import { HLS_SCRIPT_PATH } from './hls-script.ts';
import { type Html, html, pageLayout } from './html.ts';

export interface ExportPageOptions {
  readonly chapters: string | null;
  readonly settled: boolean;
  /** The viewer of the page: `anybody` if there are no keys. Only the owner can read events. */
  readonly visitor: 'anybody' | 'signed-in' | 'stranger';
}

/**
 * The page of one export: its live progress, then the player, the downloads, chapters and warnings. (C26)
 * It is complete without script (a reload shows the progress); with script it follows the export.
 */
export function exportPage(metadata: ExportMetadata, { chapters, settled, visitor }: ExportPageOptions): string {
  const { settings, state, links } = metadata;
  const finished = state === 'completed' || state === 'failed' || state === 'cancelled';
  const main = html`<h1>${settings.file_name}</h1>
<p class="quiet">Export ${metadata.export_id}, made ${moment(metadata.created_at)}${
    metadata.expires_at !== null && html`, kept until ${moment(metadata.expires_at)}`
  }.</p>
${state !== 'failed' && state !== 'cancelled' && player(metadata)}
<div id="export" data-state="${state}" data-events="${links.events}" data-settled="${settled ? 'yes' : 'no'}" data-live="${visitor === 'stranger' ? 'no' : 'yes'}">
${state !== 'completed' && progress(metadata)}
${metadata.error !== undefined && failure(metadata.error)}
${!finished && html`<noscript><p>Reload this page to see how far it is.</p></noscript>`}
${outputs(metadata)}
${metadata.shorts.length > 0 && shorts(metadata.shorts)}
</div>
${visitor === 'stranger' && !settled && signIn(links.page)}
${visitor === 'signed-in' && html`<p><button id="sign-out" type="button" class="plain">Sign out</button></p>`}
${chapters !== null && chapters.trim() !== '' && html`<h2>Chapters</h2><pre>${chapters}</pre>`}
${metadata.warnings.length > 0 && warnings(metadata.warnings)}`;
  return pageLayout({ title: `${settings.file_name} – Tiercut`, main, script: '/assets/export.js' });
}

/** A viewer without a session signs in here, with or without script, and returns. (C51) */
function signIn(page: string): Html {
  return html`<form class="card" method="post" action="/session"><input type="hidden" name="to" value="${page}">
<label for="key">API key</label><input id="key" name="key" type="password" autocomplete="current-password" required>
<p class="quiet">With the key it was made with, this page follows the export live.</p>
<div class="actions"><button type="submit">Follow live</button></div></form>`;
}

/** The player: the stream as soon as there is a segment, the MP4 once it is finished. (C49) */
function player({ settings, state, download_url, links, outputs }: ExportMetadata): Html {
  const { width, height } = outputs[settings.preset]!;
  const inside =
    state === 'completed'
      ? html`<video controls preload="metadata" aria-label="The video" poster="${links.poster}" width="${width}" height="${height}" src="${download_url}?inline"></video>`
      : html`<p class="quiet"></p>`;
  const showing = state === 'completed' ? 'video' : 'nothing';
  return html`<div id="player" data-preset="${settings.preset}" data-showing="${showing}" data-mp4="${download_url}" data-poster="${links.poster}" data-hls="${HLS_SCRIPT_PATH}">${inside}</div>`;
}

function progress({ state, progress: share, settings }: ExportMetadata): Html {
  const percent = Math.floor(share * 100);
  return html`<div class="card"><p id="status" role="status">${STATE_WORDS[state]}</p>
<progress id="progress" max="1" value="${share}" aria-label="Progress of ${settings.preset}">${percent} %</progress></div>`;
}

function failure({ code, detail, errors }: NonNullable<ExportMetadata['error']>): Html {
  return html`<div class="card bad" role="alert"><p><strong>${detail}</strong> <code>${code}</code></p>${issueList(errors)}</div>`;
}

function outputs({ outputs: all, downloads, hls, settings }: ExportMetadata): Html {
  const rows = Object.entries(all).map(([preset, output]) => {
    const done = output.state === 'completed';
    const { error } = output;
    const failed = error !== undefined;
    return html`<tr data-preset="${preset}" data-stream="${hls[preset]!}" data-mp4="${downloads[preset]!}" data-width="${output.width}" data-height="${output.height}" data-done="${done ? 'yes' : 'no'}" data-failed="${failed ? 'yes' : 'no'}"><th scope="row">${preset}${preset === settings.preset && html` <small>(selected)</small>`}</th>
<td>${output.width} × ${output.height}</td><td class="output-state">${
      done
        ? megabytes(output.bytes ?? 0)
        : failed
          ? html`failed: ${error.detail}`
          : output.state === 'idle'
            ? 'when asked for'
            : `${output.state}, ${Math.floor(output.progress * 100)} %`
    }</td>
<td>${!failed && html`<button type="button" class="plain small" data-watch="${preset}" hidden>Watch</button>`}</td>
<td>${!failed && html`<a ${done && html`download`} href="${downloads[preset]!}">${done ? 'Download' : 'Download when ready'}</a>`}</td></tr>`;
  });
  return html`<h2>Presets</h2><table><thead><tr><th scope="col">Preset</th><th scope="col">Size</th><th scope="col">State</th><th scope="col"><span class="unseen">Watch</span></th><th scope="col">MP4</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Each is rendered when its link is opened. (C52) */
function shorts(all: ExportMetadata['shorts']): Html {
  const rows = all.map(({ number, title, duration, state, bytes, error, download_url }) => {
    const words =
      state === 'completed'
        ? megabytes(bytes ?? 0)
        : error === undefined
          ? 'when asked for'
          : `failed: ${error.detail}`;
    return html`<tr><th scope="row">${String(number)}</th><td>${title}</td><td>${Math.round(duration)} s</td><td>${words}</td>
<td>${error === undefined && html`<a href="${download_url}">Download</a>`}</td></tr>`;
  });
  return html`<h2>Shorts</h2><table><thead><tr><th scope="col">Short</th><th scope="col">Reveals</th><th scope="col">Length</th><th scope="col">State</th><th scope="col">MP4</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function warnings(issues: ExportMetadata['warnings']): Html {
  return html`<h2>Warnings</h2>${issueList(issues)}`;
}

function issueList(issues: ExportMetadata['warnings']): Html {
  return html`<ul class="issues">${issues.map(
    ({ path, code, message }) => html`<li>${message} <code>${path}</code> <code>${code}</code></li>`,
  )}</ul>`;
}

function moment(iso: string): Html {
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  queued: 'Queued …',
  rendering: 'Rendering …',
  completed: 'Done.',
  failed: 'This export failed.',
  cancelled: 'This export was cancelled.',
};
