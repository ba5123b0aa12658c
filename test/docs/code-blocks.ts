import { repositoryTexts } from './repository-texts.ts';

/** A fenced block of a page. Its first line is "```LANGUAGE", or "```LANGUAGE NOTE". */
export interface CodeBlock {
  readonly page: string;
  readonly language: string;
  /** For JSON, the document it is; `no-run: REASON` for what no test can run. */
  readonly note: string;
  readonly code: string;
}

/** Pages of the packages have their own tests. */
const PAGE = /^(?:README|CONTRIBUTING|SECURITY|docs\/.*|examples\/README)\.md$/;
const FENCE = /^```(?<language>\w*) ?(?<note>.*)\n(?<code>(?:.*\n)*?)```$/gm;

export const pages = repositoryTexts().filter(({ path }) => PAGE.test(path));

export const blocks: readonly CodeBlock[] = pages.flatMap(({ path: page, text }) =>
  [...text.matchAll(FENCE)].map(({ groups }) => {
    const { language, note, code } = groups as { language: string; note: string; code: string };
    return { page, language, note, code };
  }),
);

export function isRun({ note }: CodeBlock): boolean {
  return !note.startsWith('no-run');
}

/** A page without its fenced blocks. */
export function withoutBlocks(text: string): string {
  return text.replace(FENCE, '');
}
