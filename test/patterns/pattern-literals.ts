import { transformSync } from 'esbuild';
import { sourceFiles } from '../source-files.ts';

/** A regular expression of src/, and its file. */
export interface Found {
  readonly path: string;
  readonly pattern: RegExp;
}

/** After these words a slash begins an expression; after any other word it divides. */
const BEFORE_AN_EXPRESSION = new Set(['return', 'typeof', 'case', 'in', 'of', 'do', 'else', 'void', 'yield', 'await']);

/** What can stand in a program where a slash is no division; a template is read up to its first `${`. */
const TOKEN =
  /\s+|\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|[\p{ID_Start}$_#][\p{ID_Continue}$]*|\d[\w.]*|[\s\S]/uy;
const LITERAL = /\/((?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y;

/** Every regular expression that is written as a literal below src/. */
export function patternLiterals(): Found[] {
  return sourceFiles().flatMap(({ path, text }) => {
    // Types and elements are gone in JavaScript.
    const { code } = transformSync(text, { loader: path.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic' });
    return [...literalsIn(code)].map(([, source, flags]) => ({ path, pattern: new RegExp(source!, flags) }));
  });
}

/**
 * Every regular expression that is built from a template while the program runs, with `x` in place of what varies.
 *
 * @throws if one is built from anything else.
 */
export function builtPatterns(): Found[] {
  return sourceFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/\bnew RegExp\(\s*(String\.raw)?(`[^`]*`|[^,)]*),?\s*(?:'([a-z]*)')?/g)].map(
      ([whole, raw, template = '', flags]) => {
        if (!template.startsWith('`')) throw new Error(`${path}: ${whole} is not built from a template`);
        const written = template.slice(1, -1).replaceAll(/\$\{[^{}]*\}/g, 'x');
        return { path, pattern: new RegExp(raw ? written : written.replaceAll('\\\\', '\\'), flags) };
      },
    ),
  );
}

function* literalsIn(code: string): Generator<RegExpExecArray> {
  /** For each open brace, whether a template continues where it is closed. */
  const braces: boolean[] = [];
  let last = '';
  const read = (pattern: RegExp, at: number): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  const afterTemplatePart = (at: number): number => {
    const part = read(TEMPLATE_PART, at)!;
    if (part[1] === '`') last = '`';
    else {
      braces.push(true);
      last = '{';
    }
    return at + part[0].length;
  };
  for (let at = 0; at < code.length; ) {
    const [token] = read(TOKEN, at)!;
    if (token === '`') {
      at = afterTemplatePart(at + 1);
    } else if (token === '}' && braces.pop() === true) {
      at = afterTemplatePart(at + 1);
    } else if (token === '/' && !dividesAfter(last)) {
      const literal = read(LITERAL, at)!;
      yield literal;
      last = ')';
      at += literal[0].length;
    } else {
      if (token === '{') braces.push(false);
      if (!/^(?:\s|\/\/|\/\*)/.test(token)) last = token;
      at += token.length;
    }
  }
}

function dividesAfter(last: string): boolean {
  if (BEFORE_AN_EXPRESSION.has(last)) return false;
  return /^[\p{ID_Start}$_#\d'"`)\]}]/u.test(last);
}
