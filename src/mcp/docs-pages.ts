import type { Connection } from '../../packages/client/src/connection.ts';
import { ExportError } from '../errors.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { jsonResult, type Tool } from './tool.ts';

/** A page that an agent can read. */
interface DocsPage {
  readonly uri: string;
  /** Where the service has it. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A section of a page, as the search of the documentation has it. */
interface Section {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

const SCHEME = 'tiercut://';
/** What is no page of the documentation. */
const OTHERS: readonly DocsPage[] = [
  {
    uri: `${SCHEME}llms.txt`,
    path: '/llms.txt',
    title: 'Tiercut on one page',
    description: 'How to make a video with this service, and its presets.',
    mimeType: 'text/markdown',
  },
  {
    uri: `${SCHEME}schemas/project.json`,
    path: '/schemas/project.json',
    title: 'Schema of a project',
    description: 'The documents as a JSON Schema, with the limits of this service.',
    mimeType: 'application/schema+json',
  },
];

const MAX_FOUND = 8;
const EXCERPT = 400;
const LONGEST_QUERY = 200;

/** The documentation of a service, as an agent reads it: a list, each page as Markdown, and a search. */
export class DocsPages {
  #pages: Promise<readonly DocsPage[]> | null = null;
  #sections: Promise<readonly Section[]> | null = null;

  /** All pages, in the order of the index. */
  pages(connection: Connection): Promise<readonly DocsPage[]> {
    this.#pages ??= readIndex(connection).catch((error: unknown) => {
      this.#pages = null;
      throw error;
    });
    return this.#pages;
  }

  /** The text of a page, by its uri, its path, or its name without `docs/` and `.md`; null: there is none. */
  async read(
    name: string,
    connection: Connection,
    signal: AbortSignal,
  ): Promise<(DocsPage & { readonly text: string }) | null> {
    const names = [name, `${SCHEME}${name}`, `${SCHEME}docs/${name.replace(/\.md$/, '')}`];
    const page = (await this.pages(connection)).find(({ uri, path }) => names.includes(uri) || path === name);
    if (page === undefined) return null;
    const response = await connection.send(page.path, { signal });
    return { ...page, text: await response.text() };
  }

  /** The sections that have the words of a query, best first. */
  async search(query: string, connection: Connection): Promise<readonly Section[]> {
    this.#sections ??= connection.json<readonly Section[]>('/docs/search.json').catch((error: unknown) => {
      this.#sections = null;
      throw error;
    });
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 8);
    const rated = (await this.#sections).map((section) => ({ section, rating: ratingOf(section, words) }));
    const found = rated.filter(({ rating }) => rating > 0).sort((a, b) => b.rating - a.rating);
    return found.slice(0, MAX_FOUND).map(({ section }) => section);
  }
}

/** How well a section matches: words in headings count most. */
function ratingOf({ page, title, text }: Section, words: readonly string[]): number {
  const [heading, body] = [`${page} ${title}`.toLowerCase(), text.toLowerCase()];
  return words.reduce((sum, word) => sum + (heading.includes(word) ? 4 : 0) + (body.includes(word) ? 1 : 0), 0);
}

async function readIndex(connection: Connection): Promise<readonly DocsPage[]> {
  const index = await (await connection.send('/docs/README.md')).text();
  const listed = [...index.matchAll(/^- \[([^\]]+)\]\(([\w./-]+)\.md\)(?:: (.+))?$/gm)];
  const pages = listed.flatMap(([, title, file, description = '']) => {
    // The clients are beside the documentation.
    if (file!.startsWith('..')) return [];
    const name = file!.replace(/\/README$/, '');
    return [
      { uri: `${SCHEME}docs/${name}`, path: `/docs/${file}.md`, title: title!, description, mimeType: 'text/markdown' },
    ];
  });
  return [...OTHERS, ...pages];
}

/** The tool that searches and reads the documentation, for programs that show no resources. */
export function docsTool(docs: DocsPages): Tool {
  return {
    name: 'docs',
    title: 'Read the documentation',
    description:
      'Reads the documentation: a page by its name, or the sections that match a query. Without either it lists the pages.',
    inputSchema: {
      type: 'object',
      properties: {
        page: { type: 'string', maxLength: 200, description: 'Such as llms.txt or reference/timeline.' },
        query: { type: 'string', maxLength: LONGEST_QUERY, description: 'A few words.' },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: async ({ page, query }: { readonly page?: string; readonly query?: string }, { connection, signal }) => {
      if (page !== undefined) {
        const found = await docs.read(page, connection, signal);
        if (found === null) throw unknownPage(page);
        return { content: [{ type: 'text', text: found.text }] };
      }
      if (query !== undefined) {
        const sections = await docs.search(query, connection);
        return jsonResult({
          sections: sections.map(({ title, address, text, ...rest }) => ({
            page: rest.page,
            title,
            address,
            text: text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text,
          })),
        });
      }
      const pages = await docs.pages(connection);
      return jsonResult({
        pages: pages.map(({ uri, title, description }) => ({
          page: uri.slice(SCHEME.length).replace(/^docs\//, ''),
          title,
          description,
        })),
      });
    },
  };
}

/** The error of a page that does not exist. */
function unknownPage(name: string): ExportError {
  const message = `There is no page ${shownText(name)}. The tool docs lists the pages.`;
  return new ExportError('missing', 'mcp.unknown_page', message, { path: '/page' });
}
