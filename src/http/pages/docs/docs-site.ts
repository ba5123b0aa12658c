import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { PROJECT_ROOT } from '../../../platform/program-files.ts';
import { type Html, html, pageLayout } from '../html.ts';
import { type MarkdownPage, renderMarkdown } from './markdown.ts';

const FOLDER = join(PROJECT_ROOT, 'docs');
/** The index page; its lists are the menu of the others. */
const INDEX = 'README.md';
/** The type of a problem is an address of this page. (C32) */
const ADDRESSES: Readonly<Record<string, string>> = { [INDEX]: '/docs', 'reference/errors.md': '/docs/errors' };
/** Pages beside docs/. */
const CLIENTS: Readonly<Record<string, string>> = {
  '../packages/client/README.md': '/docs/clients/javascript',
  '../packages/n8n/README.md': '/docs/clients/n8n',
  '../packages/python/README.md': '/docs/clients/python',
};
const PICTURES: Readonly<Record<string, string>> = { jpg: 'image/jpeg', webp: 'image/webp' };

/** The address of the endpoints and schemas, which are not a file. */
export const API_ADDRESS = '/docs/api';

interface Picture {
  readonly file: string;
  readonly type: string;
}

/** An entry of the search: a section of a page. */
interface Hit {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

/** The pages of docs/ as HTML, read at the first request. */
export class DocsSite {
  readonly #pages = new Map<string, { readonly path: string; readonly page: MarkdownPage }>();
  /** The pages as they are written, by the address of the file. */
  readonly #markdown = new Map<string, string>();
  readonly #pictures = new Map<string, Picture>();
  readonly #menu: Html;

  constructor() {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'));
    for (const path of files) {
      const type = PICTURES[posix.extname(path).slice(1)];
      if (type !== undefined) this.#pictures.set(`/docs/${path}`, { file: join(FOLDER, path), type });
    }
    const clients = Object.keys(CLIENTS).filter((path) => existsSync(join(FOLDER, path)));
    for (const path of [...files.filter((each) => each.endsWith('.md')), ...clients]) {
      const markdown = readFileSync(join(FOLDER, path), 'utf8');
      const page = renderMarkdown(markdown, (target) => this.#resolve(path, target));
      this.#pages.set(addressOf(path), { path, page });
      const file = CLIENTS[path] === undefined ? `/docs/${path}` : `${CLIENTS[path]}.md`;
      this.#markdown.set(file, markdown);
    }
    this.#menu = this.#readMenu();
  }

  /** The addresses of all pages. */
  get addresses(): readonly string[] {
    return [...this.#pages.keys()];
  }

  picture(address: string): Picture | null {
    return this.#pictures.get(address) ?? null;
  }

  /** A page as Markdown, for agents: its address ends in `.md`. */
  markdown(address: string): string | null {
    return this.#markdown.get(address) ?? null;
  }

  page(address: string): string | null {
    const found = this.article(address);
    return found === null ? null : this.layout(`${found.title} – Tiercut`, found.body);
  }

  /** A page without what is around it. */
  article(address: string): Pick<MarkdownPage, 'title' | 'body'> | null {
    return this.#pages.get(address)?.page ?? null;
  }

  /** A page with the menu and the search beside it. */
  layout(title: string, body: Html): string {
    const main = html`<div class="docs"><div class="menu">
<form role="search" action="/docs" hidden><label for="search">Search</label><input id="search" type="search" autocomplete="off"
placeholder="Press / to search"><ul id="found" aria-live="polite"></ul></form>
<nav aria-label="Documentation">${this.#menu}</nav></div>
<article>${body}</article></div>`;
    return pageLayout({ title, main, script: '/assets/docs/docs.js' });
  }

  searchIndex(): string {
    const hits = [...this.#pages].flatMap(([address, { page }]) =>
      page.sections.map(({ title, id, text }): Hit => {
        return { page: page.title, title, address: `${address}#${id}`, text: text.trim() };
      }),
    );
    return JSON.stringify(hits);
  }

  /** Resolves addresses of pages and pictures; other files of the repository are not served. */
  #resolve(from: string, target: string): string | null {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
    const [file = '', anchor] = target.split('#', 2);
    const path = posix.join(posix.dirname(from), file);
    if (this.#pictures.has(`/docs/${path}`)) return `/docs/${path}`;
    const isPage = path.endsWith('.md') && (path in CLIENTS || !path.startsWith('..'));
    if (!isPage || !existsSync(join(FOLDER, path))) return null;
    return addressOf(path) + (anchor === undefined ? '' : `#${anchor}`);
  }

  #readMenu(): Html {
    const parts: Html[] = [];
    for (const line of readFileSync(join(FOLDER, INDEX), 'utf8').split('\n')) {
      const [, heading] = /^## (.+)$/.exec(line) ?? [];
      const [, label, target] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? [];
      if (heading !== undefined) parts.push(html`<strong>${heading}</strong>`);
      if (heading === 'Reference') parts.push(html`<a href="${API_ADDRESS}">Endpoints and schemas</a>`);
      if (label !== undefined) parts.push(html`<a href="${this.#resolve(INDEX, target!) ?? '/docs'}">${label}</a>`);
    }
    return html`${parts}`;
  }
}

function addressOf(path: string): string {
  return ADDRESSES[path] ?? CLIENTS[path] ?? `/docs/${path.replace(/(?:\/README)?\.md$/, '')}`;
}
