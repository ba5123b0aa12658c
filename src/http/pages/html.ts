/** Text that is already HTML. Only `html` creates it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/**
 * The values of a template: HTML is inserted unchanged, lists item by item, null and false as nothing, all else
 * escaped.
 */
type HtmlValue = Html | string | number | null | false | undefined | readonly HtmlValue[];

/** A template that escapes every value unless it is Html. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : valueText(values[i - 1]) + text)).join(''));
}

function valueText(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object' && value !== null) return value.map(valueText).join('');
  if (value === null || value === undefined || value === false) return '';
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A sentence with `backticks` around code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

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
