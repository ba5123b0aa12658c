import { ExportError } from '../../errors.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import { shownText } from '../../timeline/json/shown-value.ts';

/** A header's value and its parameters, names in lower case. */
interface ParsedHeader {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/sy;

/**
 * Parses `value; name="text"; name=token`. null if it is malformed or repeats a parameter.
 * Only `\"` and `\\` are escapes: browsers send the bare backslashes of a Windows path.
 */
export function parseHeader(text: string): ParsedHeader | null {
  const value = /^[^;]*/.exec(text)![0];
  const parameters = new Map<string, string>();
  let at = value.length;
  while (at < text.length) {
    // A single semicolon at the end is common and harmless.
    if (/^;[ \t]*$/.test(text.slice(at))) break;
    PARAMETER.lastIndex = at;
    const match = PARAMETER.exec(text);
    if (match === null) return null;
    const [whole, name, quoted, token] = match;
    const key = name!.toLowerCase();
    if (parameters.has(key)) return null;
    parameters.set(key, quoted === undefined ? token! : quoted.replace(/\\(["\\])/g, '$1'));
    at += whole.length;
  }
  return { value: value.trim(), parameters };
}

/** The text of an extended parameter (`UTF-8''na%C3%AFve`, RFC 8187); null if it is not one. */
function decodeExtended(text: string): string | null {
  const [, encoded] = /^utf-8'[^']*'((?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)$/i.exec(text) ?? [];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** The parsed headers of a part. */
export interface PartHead {
  readonly name: string;
  /** null for a plain field, which has no file name. */
  readonly fileName: string | null;
  readonly contentType: string;
  /** JSON Pointer of the part, for messages. */
  readonly path: string;
}

/** The maximum lengths of names; longer ones are refused, never truncated. */
export interface NameLimits {
  readonly maxFieldNameBytes: number;
  readonly maxFileNameBytes: number;
}

const LONGEST_NAME_IN_PATH = 128;

/**
 * Parses the headers of the `ordinal`th part (1 is the first).
 *
 * @throws ExportError `multipart.…` for everything that RFC 7578 does not allow and everything ambiguous.
 */
export function readPartHead(block: Buffer, ordinal: number, limits: NameLimits): PartHead {
  const headers = readHeaders(block, ordinal);
  const disposition = headers.get('content-disposition');
  if (disposition === undefined) {
    throw malformed(
      'multipart.disposition_missing',
      `Part ${ordinal} has no Content-Disposition header; every part needs one.`,
    );
  }
  const parsed = parseHeader(disposition);
  if (parsed === null || parsed.value.toLowerCase() !== 'form-data') {
    const message = `The Content-Disposition of part ${ordinal} must be form-data with each parameter once, not ${shownText(disposition)}.`;
    throw malformed('multipart.disposition_invalid', message);
  }
  const name = parameter(parsed, 'name', ordinal);
  if (name === null || name === '') {
    throw malformed(
      'multipart.name_missing',
      `Part ${ordinal} has no name; its Content-Disposition must carry name="…".`,
    );
  }
  const path = pointer('', name.slice(0, LONGEST_NAME_IN_PATH).toWellFormed());
  checkText('name', name, limits.maxFieldNameBytes, path);
  const fileName = parameter(parsed, 'filename', ordinal);
  if (fileName !== null) checkText('file name', fileName, limits.maxFileNameBytes, path);
  checkEncoding(headers.get('content-transfer-encoding'), path);
  return { name, fileName, contentType: headers.get('content-type') ?? 'text/plain', path };
}

function readHeaders(block: Buffer, ordinal: number): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of decode(block, ordinal).split('\r\n')) {
    if (line === '') continue;
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([^\0\r\n]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw malformed('multipart.header_invalid', `A header line of part ${ordinal} is not of the form "Name: value".`);
    }
    const key = name.toLowerCase();
    if (headers.has(key))
      throw malformed('multipart.header_repeated', `Part ${ordinal} has two ${shownText(name)} headers.`);
    headers.set(key, value.trim());
  }
  return headers;
}

function decode(block: Buffer, ordinal: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(block);
  } catch (cause) {
    throw malformed('multipart.header_invalid', `The headers of part ${ordinal} are not UTF-8.`, { cause });
  }
}

/**
 * A parameter in its plain or its extended form; null if it has neither.
 * Browsers write a quotation mark as `%22` (WHATWG, multipart/form-data encoding); their `%0D` and `%0A` are not
 * decoded, so that no name can contain a line break.
 */
function parameter({ parameters }: ParsedHeader, name: string, ordinal: number): string | null {
  const plain = parameters.get(name);
  if (plain !== undefined) return plain.replaceAll('%22', '"');
  const extended = parameters.get(`${name}*`);
  if (extended === undefined) return null;
  const decoded = decodeExtended(extended);
  if (decoded !== null) return decoded;
  throw malformed(
    'multipart.disposition_invalid',
    `The ${name}* of part ${ordinal} is not of the form UTF-8''text (RFC 8187).`,
  );
}

function checkText(what: 'name' | 'file name', text: string, maxBytes: number, path: string): void {
  if (/\p{Cc}/u.test(text)) {
    throw malformed('multipart.control_character', `The ${what} of a part holds a control character.`, { path });
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return;
  throw malformed(
    'multipart.name_too_long',
    `The ${what} of a part has ${bytes} bytes; at most ${maxBytes} are allowed.`,
    {
      path,
    },
  );
}

/** RFC 7578 4.7 allows only encodings that change nothing. */
function checkEncoding(encoding: string | undefined, path: string): void {
  if (encoding === undefined || /^(7bit|8bit|binary)$/i.test(encoding)) return;
  const message = `Content-Transfer-Encoding ${shownText(encoding)} is not used in multipart/form-data; send the bytes as they are.`;
  throw malformed('multipart.transfer_encoding', message, { path });
}

function malformed(code: string, message: string, detail: { path?: string; cause?: unknown } = {}) {
  return new ExportError('malformed', code, message, { path: '', ...detail });
}
