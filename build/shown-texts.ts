import { readFileSync } from 'node:fs';
import { ts } from '@ts-morph/common';

/** Texts for machines: SQL, headers, media types, options of curl. */
const FOR_MACHINES =
  /^(?:select|insert|update|delete|create|with|alter|drop|pragma|begin|lock|set|from|and|where|\w+\/[\w+-]+;|private,|public,|\w+, [A-Z]\w+$|curl -s|-H)\b/i;

/** Selectors, media queries, fonts and values of CSS. */
const FOR_STYLES =
  /^[.#:[(]|^(?:translate|inset|cubic-bezier)\(|^\w+\[|:(?:last|first|nth)-child| > | :is\(|px system-ui,|^…px|^(?:a|button|input)[,:]/;

/** A label of one word, and the words that are names of keys or of the platform. */
const LABEL = /^\p{Lu}\p{Ll}+(?: …)?$/u;
const NO_LABEL = new Set(
  'Alt Backspace Control Delete End Enter Escape Home Insert Meta Shift Space Tab Error Content Accept Prefer Files'.split(
    ' ',
  ),
);

/** Attributes that people read. */
const SHOWN_ATTRIBUTES = new Set(['title', 'label', 'aria-label', 'placeholder', 'alt', 'hint', 'text', 'words']);

export interface ShownText {
  readonly line: number;
  readonly text: string;
  readonly isLog: boolean;
  /** Whether it is the message of an exception that only a programming error causes. */
  readonly isFault: boolean;
}

/** The texts in a source file that people read. */
export function shownTexts(path: string): ShownText[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const texts: ShownText[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isShown(node, text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      texts.push({
        line: line + 1,
        text: text.replace(/\s+/g, ' ').trim(),
        isLog: isLogged(node),
        isFault: isFault(node),
      });
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
  if (ts.isJsxText(node)) return /\p{L}/u.test(text) && !isKey(node, text);
  if (ts.isJsxAttribute(parent)) return SHOWN_ATTRIBUTES.has(parent.name.getText()) && /\p{L}/u.test(text);
  if (isClass(node)) return false;
  if (ts.isImportDeclaration(parent) || ts.isTaggedTemplateExpression(parent)) return false;
  if (isLogged(node)) return true;
  if (FOR_STYLES.test(text)) return false;
  if (LABEL.test(text)) return node.getSourceFile().fileName.includes('/studio/') && !NO_LABEL.has(text);
  return (
    /\p{L}{2,}[,;:]? .*\p{L}/u.test(text) && !/^[a-z-]+(?: [a-z-]+)*$/.test(text) && !FOR_MACHINES.test(text.trim())
  );
}

/** The message of `new Error(message)`. */
function isFault({ parent }: ts.Node): boolean {
  return ts.isNewExpression(parent) && /^(?:Type)?Error$/.test(parent.expression.getText());
}

/** `<kbd>R</kbd>`: a letter on the keyboard is the same in every language. */
function isKey({ parent }: ts.Node, text: string): boolean {
  return text.length === 1 && ts.isJsxElement(parent) && parent.openingElement.tagName.getText() === 'kbd';
}

/** `class={`bt ${…}`}`. */
function isClass({ parent }: ts.Node): boolean {
  return ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent) && parent.parent.name.getText() === 'class';
}

/** The message of `log(level, message, …)`. */
function isLogged(node: ts.Node): boolean {
  const { parent } = node;
  return (
    ts.isCallExpression(parent) && /(?:^|\.|#)log$/.test(parent.expression.getText()) && parent.arguments[1] === node
  );
}
