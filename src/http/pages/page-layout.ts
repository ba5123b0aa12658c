import { type Html, html } from './html.ts';

interface PageOptions {
  readonly title: string;
  readonly main: Html;
  /** The address of a script of ours. */
  readonly script?: string;
}

/** The layout of every page. */
export function pageLayout({ title, main, script }: PageOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/assets/style.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${script !== undefined && html`<script src="${script}" type="module"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28">Tiercut</a>
<nav aria-label="Site"><a href="/studio">Studio</a><a href="/docs">Docs</a><a href="/docs/api">API</a></nav></header>
<main id="main">
${main}
</main>
<footer>Tiercut renders tier-list videos.</footer>
</body>
</html>
`.text;
}
