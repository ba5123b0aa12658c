import { type Html, html, prose } from './html.ts';
import { pageLayout } from './page-layout.ts';

/** The list of codes as a page; a problem's `type` leads to the line of its code. Reads headings and tables of Markdown. */
export function errorsPage(markdown: string): string {
  const pieces: Html[] = [];
  let rows: Html[] = [];
  const close = () => {
    if (rows.length > 0) {
      pieces.push(
        html`<table><thead><tr><th scope="col">Code</th><th scope="col">Kind</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table>`,
      );
    }
    rows = [];
  };
  for (const line of markdown.split('\n')) {
    const [, code, kind, meaning] = /^\| `([^`]+)` \| ([^|]+) \| (.+) \|$/.exec(line) ?? [];
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (code !== undefined) {
      rows.push(
        html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${kind}</td><td>${prose(meaning ?? '')}</td></tr>`,
      );
    }
    if (heading !== undefined) {
      close();
      pieces.push(html`<h2>${heading}</h2>`);
    }
  }
  close();
  const main = html`<h1>Errors and warnings</h1>
<p>Every failure has a stable code, a message for people, and the JSON Pointer of the place in the request. All that is wrong
is told at once.</p>${pieces}`;
  return pageLayout({ title: 'Errors – Tiercut', main });
}
