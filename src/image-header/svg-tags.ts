/** A tag of an XML text: its local name, and its attributes, not parsed. */
export interface SvgTag {
  readonly kind: 'open' | 'close' | 'empty';
  readonly name: string;
  readonly attributes: string;
}

/**
 * The tags of an XML text, in one pass over any input. Comments, texts and instructions are skipped; a document type is
 * reported as an empty tag `!DOCTYPE` with its content as attributes.
 *
 * @throws RangeError if something begins that does not end.
 */
export function* svgTags(text: string): Generator<SvgTag> {
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = after(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) at = after(text, '?>', at + 2);
    else if (text.startsWith('<!', at)) {
      const end = afterDoctype(text, at);
      yield { kind: 'empty', name: '!DOCTYPE', attributes: text.slice(at + 2, end - 1) };
      at = end;
    } else {
      const end = afterTag(text, at);
      yield tagOf(text.slice(at + 1, end - 1));
      at = end;
    }
  }
}

function tagOf(content: string): SvgTag {
  const kind = content.startsWith('/') ? 'close' : content.endsWith('/') ? 'empty' : 'open';
  const [, qualified = ''] = /^\/?([^\s/]*)/.exec(content)!;
  return { kind, name: qualified.slice(qualified.indexOf(':') + 1), attributes: content.slice(qualified.length) };
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  if (at === -1) throw new RangeError(`${what} is missing`);
  return at + what.length;
}

/** Behind the `>` that ends a tag: one between quotation marks does not. */
function afterTag(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '>') return at + 1;
    if (character === '"' || character === "'") at = after(text, character, at + 1) - 1;
  }
  throw new RangeError('a tag without an end');
}

/** Behind the `>` that ends a document type: those of the declarations inside it, between brackets, do not. */
function afterDoctype(text: string, start: number): number {
  let inside = false;
  for (let at = start + 2; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '>' && !inside) return at + 1;
    if (character === '[') inside = true;
    if (character === ']') inside = false;
    if (character === '"' || character === "'") at = after(text, character, at + 1) - 1;
  }
  throw new RangeError('a document type without an end');
}

/** The value of an attribute, as it is written; undefined if there is none. */
export function attributeOf({ attributes }: SvgTag, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return match?.[1] ?? match?.[2];
}
