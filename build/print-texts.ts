/**
 * `npm run texts [-- PART OF A PATH …]` prints every text that the program shows, by area, each with its place: messages of
 * errors, logs, help of the command line, descriptions of the API, configuration, doctor, and what the studio says.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ts } from '@ts-morph/common';

const ROOT = join(import.meta.dirname, '..');

/** The first that matches decides. */
const AREAS: readonly (readonly [name: string, path: RegExp])[] = [
  ['Command line', /^src\/cli\/command-line\//],
  ['Doctor', /^src\/(?:cli\/doctor|compose\/)/],
  ['Command line', /^src\/cli\//],
  ['Configuration', /^src\/config\//],
  ['API descriptions', /^src\/(?:http\/openapi\/|timeline\/field-descriptions)/],
  ['Pages', /^src\/http\/pages\//],
  ['Studio', /^src\/studio\//],
  ['Client', /^packages\/client\/src\//],
  ['Errors and warnings', /^src\//],
];

/** Texts for machines: SQL, headers, media types. */
const FOR_MACHINES =
  /^(?:select|insert|update|delete|create|with|alter|drop|pragma|begin|lock|set|from|and|where|\w+\/[\w+-]+;|private,|public,|\w+, [A-Z]\w+$)\b/i;

/** Attributes that people read. */
const SHOWN_ATTRIBUTES = new Set([
  'title',
  'label',
  'aria-label',
  'placeholder',
  'alt',
  'hint',
  'name',
  'text',
  'words',
]);

const asked = process.argv.slice(2);
const found = new Map<string, string[]>();
for (const path of sourcePaths()) {
  if (asked.length > 0 && !asked.some((part) => path.includes(part))) continue;
  const area = AREAS.find(([, pattern]) => pattern.test(path))![0];
  for (const { line, text, isLog } of textsOf(path)) {
    const key = isLog ? 'Logs' : area;
    found.set(key, [...(found.get(key) ?? []), `${path}:${line}  ${text}`]);
  }
}
for (const [area, lines] of [...found].sort()) process.stdout.write(`\n# ${area}\n\n${lines.join('\n')}\n`);

function sourcePaths(): string[] {
  return ['src', 'packages/client/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('wire-types.ts'))
      .sort(),
  );
}

interface ShownText {
  readonly line: number;
  readonly text: string;
  readonly isLog: boolean;
}

function textsOf(path: string): ShownText[] {
  const source = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: ShownText[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isShown(node, text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      texts.push({ line: line + 1, text: text.replace(/\s+/g, ' ').trim(), isLog: isLogged(node) });
    }
    // Parts of a text that was printed as a whole are not printed again.
    if (text === null || ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** The text of a literal; of a sum of literals the whole. Values in it are `…`. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : (left ?? '…') + (right ?? '…');
}

function isShown(node: ts.Node, text: string): boolean {
  const { parent } = node;
  if (ts.isJsxText(node)) return /\p{L}/u.test(text);
  if (ts.isJsxAttribute(parent)) return SHOWN_ATTRIBUTES.has(parent.name.getText()) && /\p{L}/u.test(text);
  if (ts.isImportDeclaration(parent) || ts.isTaggedTemplateExpression(parent)) return false;
  if (isLogged(node)) return true;
  return (
    /\p{L}{2,}[,;:]? .*\p{L}/u.test(text) && !/^[a-z-]+(?: [a-z-]+)*$/.test(text) && !FOR_MACHINES.test(text.trim())
  );
}

/** The message of `log(level, message, …)`. */
function isLogged(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) && /(?:^|\.|#)log$/.test(parent.expression.getText()) && parent.arguments[1] === node
  );
}
