import { ExportError } from '../../errors.ts';

/** The parts of a body, in the order of arrival. `data` is a view of its buffer: use it before the next one. */
export type MultipartEvent =
  | { readonly type: 'part'; readonly headers: Buffer }
  | { readonly type: 'data'; readonly bytes: Buffer }
  | { readonly type: 'end' };

/**
 * Bytes before the first and after the last boundary are legal (RFC 2046 5.1.1) and useless; this many are tolerated.
 */
const MAX_JUNK_BYTES = 4096;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_PADDING_BYTES = 256;

const CRLF = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');
const DASHES = Buffer.from('--');
const NOTHING = Buffer.alloc(0);

type State = 'preamble' | 'delimiter' | 'headers' | 'body_start' | 'body' | 'epilogue';

/**
 * Splits a multipart body (RFC 2046) into parts, however its buffers are cut.
 * Our own instead of @fastify/busboy, which silently drops parts that it rejects (no or odd Content-Disposition, line
 * breaks in a name, a malformed header line), so that a caller cannot report them (C4). This parser throws for
 * everything outside the grammar.
 */
export class MultipartParser {
  readonly #delimiter: Buffer;
  #state: State = 'preamble';
  /** Bytes that need more input. The line break of the first delimiter is implied. */
  #held: Buffer = CRLF;
  #junkBytes = 0;

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  }

  /** @throws ExportError `multipart.…` if the bytes violate the grammar. */
  *push(chunk: Buffer): Generator<MultipartEvent, void, undefined> {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    for (;;) {
      const rest: Buffer | null = yield* this.#step(bytes);
      if (rest === null) return;
      bytes = rest;
    }
  }

  /** Call it at the end of the body. @throws `multipart.truncated` if there was no closing boundary. */
  finish(): void {
    if (this.#state === 'epilogue') return;
    if (this.#state === 'preamble') throw noBoundary();
    const message = 'The body ends before its closing boundary: it was truncated or is malformed.';
    throw new ExportError('malformed', 'multipart.truncated', message);
  }

  /** Consumes what the current state can; returns the rest for the next state, or null if more bytes are needed. */
  *#step(bytes: Buffer): Generator<MultipartEvent, Buffer | null, undefined> {
    switch (this.#state) {
      case 'preamble':
        return this.#preamble(bytes);
      case 'delimiter':
        return this.#afterDelimiter(bytes);
      case 'headers':
        return yield* this.#headers(bytes);
      case 'body_start':
        return yield* this.#bodyStart(bytes);
      case 'body':
        return yield* this.#body(bytes);
      case 'epilogue':
        return this.#epilogue(bytes);
    }
  }

  #preamble(bytes: Buffer): Buffer | null {
    const at = bytes.indexOf(this.#delimiter);
    const passed = at === -1 ? bytes.length - this.#overlap(bytes) : at;
    this.#junkBytes += passed;
    if (this.#junkBytes > MAX_JUNK_BYTES) throw noBoundary();
    if (at === -1) return this.#hold(bytes.subarray(passed));
    this.#state = 'delimiter';
    return bytes.subarray(at + this.#delimiter.length);
  }

  /**
   * `--` closes the body; a line break, after optional white space, starts a part. The break is left for the headers.
   */
  #afterDelimiter(bytes: Buffer): Buffer | null {
    if (bytes.length < 2) return this.#hold(bytes);
    if (bytes.subarray(0, 2).equals(DASHES)) {
      this.#state = 'epilogue';
      this.#junkBytes = 0;
      return bytes.subarray(2);
    }
    let at = 0;
    while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x09)) at += 1;
    if (at > MAX_PADDING_BYTES) throw badDelimiter();
    if (at + 2 > bytes.length) return this.#hold(bytes);
    if (!bytes.subarray(at, at + 2).equals(CRLF)) throw badDelimiter();
    this.#state = 'headers';
    return bytes.subarray(at);
  }

  *#headers(bytes: Buffer): Generator<MultipartEvent, Buffer | null, undefined> {
    const end = bytes.indexOf(BLANK_LINE);
    if ((end === -1 ? bytes.length : end) > MAX_HEADER_BYTES) {
      const message = `The headers of a part are longer than the ${MAX_HEADER_BYTES} bytes allowed.`;
      throw new ExportError('malformed', 'multipart.headers_too_long', message);
    }
    if (end === -1) return this.#hold(bytes);
    this.#state = 'body_start';
    yield { type: 'part', headers: Buffer.from(bytes.subarray(Math.min(2, end), end)) };
    return bytes.subarray(end + 2);
  }

  /**
   * A part without content may end directly after its headers: one line break belongs to both the headers and the
   * delimiter.
   */
  *#bodyStart(bytes: Buffer): Generator<MultipartEvent, Buffer | null, undefined> {
    const known = Math.min(bytes.length, this.#delimiter.length);
    const same = bytes.subarray(0, known).equals(this.#delimiter.subarray(0, known));
    if (same && known < this.#delimiter.length) return this.#hold(bytes);
    if (!same) {
      this.#state = 'body';
      return bytes.subarray(CRLF.length);
    }
    yield { type: 'end' };
    this.#state = 'delimiter';
    return bytes.subarray(known);
  }

  *#body(bytes: Buffer): Generator<MultipartEvent, Buffer | null, undefined> {
    const at = bytes.indexOf(this.#delimiter);
    const content = bytes.subarray(0, at === -1 ? bytes.length - this.#overlap(bytes) : at);
    if (content.length > 0) yield { type: 'data', bytes: content };
    if (at === -1) return this.#hold(bytes.subarray(content.length));
    yield { type: 'end' };
    this.#state = 'delimiter';
    return bytes.subarray(at + this.#delimiter.length);
  }

  #epilogue(bytes: Buffer): null {
    this.#junkBytes += bytes.length;
    if (this.#junkBytes <= MAX_JUNK_BYTES) return null;
    const message = `More than ${MAX_JUNK_BYTES} bytes follow the closing boundary.`;
    throw new ExportError('malformed', 'multipart.after_end', message);
  }

  #hold(bytes: Buffer): null {
    // A copy, because a view of a few bytes would keep the whole buffer alive.
    this.#held = Buffer.from(bytes);
    return null;
  }

  /** How many bytes at the end may be the start of a delimiter. */
  #overlap(bytes: Buffer): number {
    const max = Math.min(bytes.length, this.#delimiter.length - 1);
    let at = bytes.indexOf(0x0d, bytes.length - max);
    while (at !== -1) {
      const tail = bytes.subarray(at);
      if (tail.equals(this.#delimiter.subarray(0, tail.length))) return tail.length;
      at = bytes.indexOf(0x0d, at + 1);
    }
    return 0;
  }
}

function noBoundary(): ExportError {
  const message = "The body does not begin with the boundary that the Content-Type header's `boundary` announces.";
  return new ExportError('malformed', 'multipart.boundary_missing', message);
}

function badDelimiter(): ExportError {
  const message = 'A boundary is followed by something that is neither a line break nor the closing "--".';
  return new ExportError('malformed', 'multipart.boundary_broken', message);
}
