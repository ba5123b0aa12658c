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
type Piece = Html | string | number | null | false | undefined | readonly Piece[];

/** A template that escapes every value unless it is Html. */
export function html(strings: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : pieceText(values[i - 1]) + text)).join(''));
}

function pieceText(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object' && piece !== null) return piece.map(pieceText).join('');
  if (piece === null || piece === undefined || piece === false) return '';
  return String(piece).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
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
  return html`${text.split('`').map((piece, i) => (i % 2 === 0 ? piece : html`<code>${piece}</code>`))}`;
}
