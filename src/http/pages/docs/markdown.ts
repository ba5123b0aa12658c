import { type Html, html } from '../html.ts';

/** A heading of a page, with the text below it, for the search. */
interface Section {
  readonly title: string;
  /** Empty for what comes before the first heading. */
  readonly id: string;
  readonly text: string;
}

export interface MarkdownPage {
  readonly title: string;
  readonly body: Html;
  readonly sections: readonly Section[];
}

/** The target of a link or a picture; null keeps the text. */
type Resolve = (target: string) => string | null;

const INLINE =
  /`(?<code>[^`]+)`|!\[(?<alt>[^\]]*)\]\((?<image>[^()\s]+)\)|\[(?<label>(?:[^[\]]|\[[^\]]*\])+)\]\((?<target>[^()\s]+)\)|\*\*(?<strong>.+?)\*\*|(?<!\*)\*(?<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\*)|\\(?<escaped>[\\`*_|<>[\]])/g;
const ANCHOR = /^<a id="(?<id>[\w-]+)"><\/a>$/;
const LIST = /^(?<indent> *)(?<mark>-|\d+\.) (?<text>.*)$/;
/** A number that a line of a paragraph begins with starts a list only if it is 1. */
const LIST_IN_PARAGRAPH = /^ *(?:-|1\.) /;

/** The id of a heading, as GitHub makes it. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/\[(.*?)\]\(.*?\)/g, '$1')
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The Markdown that our pages use, as HTML. Every text is escaped; of a page's own HTML only anchors are kept. */
export function renderMarkdown(markdown: string, resolve: Resolve): MarkdownPage {
  return new MarkdownReader(markdown, resolve).read();
}

class MarkdownReader {
  readonly #lines: readonly string[];
  readonly #resolve: Resolve;
  readonly #ids = new Set<string>();
  readonly #sections: { title: string; id: string; text: string }[] = [];
  #at = 0;

  constructor(markdown: string, resolve: Resolve) {
    this.#lines = markdown.split('\n');
    this.#resolve = resolve;
  }

  read(): MarkdownPage {
    const blocks: Html[] = [];
    while (this.#at < this.#lines.length) {
      if (this.#line.trim() === '') this.#at += 1;
      else blocks.push(this.#block());
    }
    const title = this.#sections[0]?.title ?? '';
    return { title, body: html`${blocks}`, sections: this.#sections };
  }

  get #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  #block(): Html {
    const line = this.#line;
    if (line.startsWith('```')) return this.#code();
    if (line.startsWith('|')) return this.#table();
    if (LIST.test(line)) return this.#list(LIST.exec(line)!.groups!.indent!.length);
    const anchor = ANCHOR.exec(line)?.groups?.id;
    if (anchor !== undefined) {
      this.#at += 1;
      return html`<a id="${this.#unique(anchor)}"></a>`;
    }
    const [, marks, title] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
    return marks === undefined ? this.#paragraph() : this.#heading(marks.length, title!);
  }

  #heading(level: number, title: string): Html {
    this.#at += 1;
    const id = this.#unique(slug(title));
    this.#sections.push({ title: plain(title), id, text: '' });
    const link = html`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    if (level === 1) return html`<h1 id="${id}">${this.#inline(title)}</h1>`;
    if (level === 2) return html`<h2 id="${id}">${this.#inline(title)} ${link}</h2>`;
    return html`<h3 id="${id}">${this.#inline(title)} ${link}</h3>`;
  }

  #code(): Html {
    const from = this.#at + 1;
    const closed = this.#lines.indexOf('```', from);
    const end = closed < 0 ? this.#lines.length : closed;
    this.#at = end + 1;
    return html`<pre tabindex="0"><code>${this.#lines.slice(from, end).join('\n')}</code></pre>`;
  }

  #table(): Html {
    const rows: string[][] = [];
    for (; this.#line.startsWith('|'); this.#at += 1) {
      const cells = this.#line.split(/(?<!\\)\|/).slice(1, -1);
      rows.push(cells.map((cell) => cell.trim()));
    }
    const [head = [], , ...body] = rows;
    const isHeaded = head.some((cell) => cell !== '');
    return html`<div class="wide"><table>${
      isHeaded && html`<thead><tr>${head.map((cell) => html`<th scope="col">${this.#text(cell)}</th>`)}</tr></thead>`
    }<tbody>${body.map((cells) => this.#row(cells))}</tbody></table></div>`;
  }

  /** A row that starts with one word of code, such as a field or an error, gets an anchor. */
  #row([first = '', ...others]: readonly string[]): Html {
    const name = /^`([\w./-]+)`$/.exec(first)?.[1];
    const cells = others.map((cell) => html`<td>${this.#text(cell)}</td>`);
    const head = html`<th scope="row">${this.#text(first)}</th>`;
    if (name === undefined || this.#ids.has(name)) return html`<tr>${head}${cells}</tr>`;
    return html`<tr id="${this.#unique(name)}">${head}${cells}</tr>`;
  }

  #list(indent: number): Html {
    const items: Html[] = [];
    const isOrdered = !LIST.exec(this.#line)!.groups!.mark!.startsWith('-');
    for (;;) {
      const groups = LIST.exec(this.#line)?.groups;
      if (groups === undefined || groups.indent!.length !== indent) break;
      this.#at += 1;
      const text = [groups.text!, ...this.#continued(LIST)].join(' ');
      const inner = LIST.exec(this.#line)?.groups;
      const isNested = inner !== undefined && inner.indent!.length > indent;
      items.push(html`<li>${this.#text(text)}${isNested && this.#list(inner.indent!.length)}</li>`);
    }
    return isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
  }

  /** The lines that continue an item of a list or a paragraph. */
  #continued(list: RegExp): string[] {
    const lines: string[] = [];
    for (; this.#line.trim() !== '' && !/^(?:#|```|\||<a id)/.test(this.#line) && !list.test(this.#line); this.#at += 1)
      lines.push(this.#line.trim());
    return lines;
  }

  #paragraph(): Html {
    const first = this.#line;
    this.#at += 1;
    return html`<p>${this.#text([first, ...this.#continued(LIST_IN_PARAGRAPH)].join('\n'))}</p>`;
  }

  /** Inline text, which is added to the search. */
  #text(markdown: string): Html {
    const section = this.#sections.at(-1);
    if (section !== undefined) section.text += `${plain(markdown)} `;
    return this.#inline(markdown);
  }

  #inline(markdown: string): Html {
    const parts: (Html | string)[] = [];
    let from = 0;
    for (const { 0: all, index, groups } of markdown.matchAll(INLINE)) {
      parts.push(markdown.slice(from, index), this.#span(groups!));
      from = index + all.length;
    }
    return html`${[...parts, markdown.slice(from)]}`;
  }

  #span(groups: Readonly<Record<string, string | undefined>>): Html | string {
    const { code, alt, image, label, target, strong, em, escaped } = groups;
    if (code !== undefined) return html`<code>${code.replaceAll('\\|', '|')}</code>`;
    if (image !== undefined) {
      const source = this.#resolve(image);
      return source === null ? '' : html`<img src="${source}" alt="${alt!}" loading="lazy">`;
    }
    if (target !== undefined) {
      const address = this.#resolve(target);
      return address === null ? this.#inline(label!) : html`<a href="${address}">${this.#inline(label!)}</a>`;
    }
    if (strong !== undefined) return html`<strong>${this.#inline(strong)}</strong>`;
    return em === undefined ? escaped! : html`<em>${this.#inline(em)}</em>`;
  }

  #unique(id: string): string {
    let unique = id;
    for (let n = 1; this.#ids.has(unique); n += 1) unique = `${id}-${n}`;
    this.#ids.add(unique);
    return unique;
  }
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[((?:[^[\]]|\[[^\]]*\])+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]|\\(?=\|)/g, '');
}
