/** A part of a regular expression. */
export type Part =
  | { readonly kind: 'one'; readonly source: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'group'; readonly branches: readonly Branch[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number };

export type Branch = readonly Part[];

const QUANTIFIER = /([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y;
const GROUP = /\((?:\?(?:(:|[a-z]*(?:-[a-z]+)?:)|(<?[=!])|<[\p{ID_Start}$_][\p{ID_Continue}$]*>))?/uy;
const ESCAPE = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]*\}|c[a-z]|k<[^>]*>|[1-9]\d*|[\s\S])/iuy;

/** Reads an expression into its branches; what asserts, or repeats a group by its number, is nothing. */
export function readPattern(source: string): readonly Branch[] {
  let at = 0;
  const read = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at += match[0].length;
    return match;
  };

  function branches(): Branch[] {
    const found: Part[][] = [[]];
    while (at < source.length && source[at] !== ')') {
      if (source[at] === '|') {
        at += 1;
        found.push([]);
      } else found.at(-1)!.push(repeated(atom()));
    }
    return found;
  }

  function repeated(part: Part): Part {
    const match = read(QUANTIFIER);
    if (match === null) return part;
    const [, sign, least, comma, most] = match;
    if (sign !== undefined)
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    return {
      kind: 'repeat',
      part,
      least: Number(least),
      most: comma === undefined ? Number(least) : Number(most || Infinity),
    };
  }

  function atom(): Part {
    const group = read(GROUP);
    if (group !== null) {
      const inside = branches();
      at += 1;
      return group[2] === undefined ? { kind: 'group', branches: inside } : { kind: 'nothing' };
    }
    const from = at;
    if (source[at] === '[') {
      for (let depth = 0; ; at += 1) {
        if (source[at] === '\\') at += 1;
        else if (source[at] === '[')
          depth += depth === 0 || /^\[[^\]]*\[[^\]]*[-&]{2}/.test(source.slice(from)) ? 1 : 0;
        else if (source[at] === ']') depth -= 1;
        if (depth === 0) break;
      }
      at += 1;
      return { kind: 'one', source: source.slice(from, at) };
    }
    const escaped = read(ESCAPE);
    if (escaped !== null) {
      return /^\\(?:[bB]|k<|[1-9])/.test(escaped[0]) ? { kind: 'nothing' } : { kind: 'one', source: escaped[0] };
    }
    const [char] = source.slice(at, at + 2);
    at += char!.length;
    return char === '^' || char === '$' ? { kind: 'nothing' } : { kind: 'one', source: char! };
  }

  return branches();
}
