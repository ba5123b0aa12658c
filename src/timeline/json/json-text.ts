import { pointer } from './json-pointer.ts';
import { shownText } from './shown-value.ts';

/** The bounds of a JSON text. */
export interface JsonLimits {
  readonly maxBytes: number;
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** Why a text was refused: `path` is the pointer of the value, below the document itself. */
export interface JsonFault {
  readonly kind: 'malformed' | 'too_large';
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

type JsonReading = { readonly value: unknown } | { readonly fault: JsonFault };

/**
 * Reads untrusted JSON (RFC 8259). Not `JSON.parse`: that silently accepts duplicate keys (last one wins), lone
 * surrogates and 1e309 (as Infinity), has no bound on depth or on the number of values, and gives the position of an
 * error only in its message.
 */
export function readJson(text: string, limits: JsonLimits): JsonReading {
  const bytes = utf8Bytes(text);
  if (bytes > limits.maxBytes) {
    const message = `The JSON text has ${bytes} bytes; at most ${limits.maxBytes} are allowed.`;
    return { fault: { kind: 'too_large', code: 'json.too_large', path: '', message } };
  }
  try {
    return { value: new JsonReader(text, limits).document() };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { fault: refusal.fault };
    throw refusal;
  }
}

/** Unwinds the recursion below; never leaves this file. */
class Refusal extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX_DIGITS = 4;
const [QUOTE, BACKSLASH, SPACE] = [0x22, 0x5c, 0x20];
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function isSpace(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;
}

/** NaN if it is none. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | SPACE; // lower case
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN;
}

/** Recursive descent, at most `maxDepth` deep. */
class JsonReader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): unknown {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    this.#skipSpace();
    const value = this.#value('', 1);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#syntax('', 'the end of the text');
    return value;
  }

  #value(path: string, depth: number): unknown {
    const { maxDepth, maxValues } = this.#limits;
    this.#values += 1;
    if (this.#values > maxValues) this.#refuse('', 'json.too_many_values', `It holds more than ${maxValues} values.`);
    const next = this.#text[this.#at];
    if (next === '{' || next === '[') {
      if (depth > maxDepth) this.#refuse('', 'json.too_deep', `It is nested more than ${maxDepth} levels deep.`);
      return next === '{' ? this.#object(path, depth) : this.#array(path, depth);
    }
    if (next === '"') return this.#string(path);
    if (next === '-' || (next !== undefined && next >= '0' && next <= '9')) return this.#number(path);
    if (this.#take('true')) return true;
    if (this.#take('false')) return false;
    if (this.#take('null')) return null;
    return this.#syntax(path, 'a value');
  }

  #object(path: string, depth: number): unknown {
    const object: Record<string, unknown> = {};
    this.#at += 1;
    this.#skipSpace();
    if (this.#take('}')) return object;
    do {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"') this.#syntax(path, 'a key in double quotes');
      const key = this.#string(path);
      if (Object.hasOwn(object, key)) {
        this.#refuse(path, 'json.duplicate_key', `The key ${shownText(key)} occurs twice in one object.`);
      }
      this.#skipSpace();
      if (!this.#take(':')) this.#syntax(path, 'a colon');
      this.#skipSpace();
      const value = this.#value(pointer(path, key), depth + 1);
      // Assignment would set the prototype instead of a key of that name.
      if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      else object[key] = value;
      this.#skipSpace();
    } while (this.#take(','));
    if (!this.#take('}')) this.#syntax(path, 'a comma or the end of the object');
    return object;
  }

  #array(path: string, depth: number): unknown[] {
    const list: unknown[] = [];
    this.#at += 1;
    this.#skipSpace();
    if (this.#take(']')) return list;
    do {
      this.#skipSpace();
      list.push(this.#value(pointer(path, list.length), depth + 1));
      this.#skipSpace();
    } while (this.#take(','));
    if (!this.#take(']')) this.#syntax(path, 'a comma or the end of the list');
    return list;
  }

  #string(path: string): string {
    let text = '';
    this.#at += 1;
    for (;;) {
      const from = this.#at;
      let code = this.#text.charCodeAt(from);
      // JSON forbids control characters inside a text. At the end of the text, the code is NaN.
      while (code >= SPACE && code !== QUOTE && code !== BACKSLASH) code = this.#text.charCodeAt(++this.#at);
      text += this.#text.slice(from, this.#at);
      if (code !== QUOTE && code !== BACKSLASH) this.#syntax(path, 'the end of the text in quotes');
      this.#at += 1;
      if (code === QUOTE) break;
      text += this.#escape(path);
    }
    if (!text.isWellFormed()) {
      this.#refuse(path, 'json.lone_surrogate', `Half a surrogate pair stands alone in a text (${this.#place()}).`);
    }
    return text;
  }

  #escape(path: string): string {
    const letter = this.#text[this.#at] ?? '';
    const plain = ESCAPES.get(letter);
    if (plain !== undefined) {
      this.#at += 1;
      return plain;
    }
    let unit = 0;
    for (let n = 1; n <= HEX_DIGITS; n += 1) unit = unit * 16 + hexDigit(this.#text.charCodeAt(this.#at + n));
    if (letter !== 'u' || Number.isNaN(unit)) this.#syntax(path, 'an escape that JSON knows');
    this.#at += 1 + HEX_DIGITS;
    return String.fromCharCode(unit);
  }

  #number(path: string): number {
    const digits = this.#match(NUMBER);
    if (digits === '') this.#syntax(path, 'a number');
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      this.#refuse(path, 'json.number_too_large', `The number ${shownText(digits)} is too large to be represented.`);
    }
    return value;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1;
  }

  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #place(): string {
    let line = 1;
    let start = 0;
    for (let end = this.#text.indexOf('\n'); end !== -1 && end < this.#at; end = this.#text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return `line ${line}, column ${this.#at - start + 1}`;
  }

  #syntax(path: string, wanted: string): never {
    const rest = this.#text.slice(this.#at, this.#at + 20);
    const found = rest === '' ? 'the text ends' : `there is ${shownText(rest)}`;
    return this.#refuse(
      path,
      'json.syntax',
      `This is not JSON: ${wanted} is expected at ${this.#place()}, but ${found}.`,
    );
  }

  #refuse(path: string, code: string, message: string): never {
    throw new Refusal({ kind: 'malformed', code, path, message });
  }
}

const encoder = new TextEncoder();

/** How many bytes a text has in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
