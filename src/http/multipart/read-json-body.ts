import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ExportError } from '../../errors.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import { type BodyPatience, BodyReader, type DocumentLease } from './body-reader.ts';

interface ReadJsonBytesOptions {
  /** Whether it must be UTF-8; a table may be UTF-16. */
  readonly isText?: boolean;
  readonly maxBytes: number;
  readonly patience: BodyPatience;
  /** Counts the bytes of the body; absent for small ones. */
  readonly memory?: Pick<DocumentLease, 'add'>;
  readonly signal: AbortSignal;
  /** Called when the headers are valid and the body is about to be read. */
  readonly onReading?: () => void;
  /** Called with the size of every buffer before it is parsed. Rejects to end the request. */
  readonly onReceived?: (bytes: number) => Promise<void>;
}

interface ReadJsonBodyOptions extends Omit<ReadJsonBytesOptions, 'maxBytes'> {
  readonly json: JsonLimits;
}

/** Whether the media type is JSON. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * Reads a body of JSON, of any size that is allowed; a thread parses it. (C67, H60)
 *
 * @throws ExportError `request.too_large`, `json.not_text`, and the errors of reading a body
 */
export async function readJsonBytes(
  request: IncomingMessage,
  { maxBytes, patience, memory, signal, onReading, onReceived, isText = true }: ReadJsonBytesOptions,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  onReading?.();
  using reader = new BodyReader(request, patience, signal);
  const chunks: Buffer[] = [];
  let received = 0;
  for (let chunk = await reader.next(); chunk !== null; chunk = await reader.next()) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(maxBytes);
    memory?.add(chunk.length);
    await onReceived?.(chunk.length);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (!isText || isUtf8(body)) return body;
  throw new ExportError('malformed', 'json.not_text', 'The body is not UTF-8 text.', { path: '' });
}

/**
 * Reads a small body that is one JSON object, and parses it here. (C66)
 *
 * @throws ExportError `json.*`, `field.type`, and the errors of `readJsonBytes`
 */
export async function readJsonBody(
  request: IncomingMessage,
  { json, ...options }: ReadJsonBodyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJsonBytes(request, { maxBytes: json.maxBytes, ...options });
  const reading = readJson(new TextDecoder().decode(body), json);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const { value } = reading;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const message = `The body must be a JSON object with the fields as members, not ${shownValue(value)}.`;
  throw new ExportError('invalid', 'field.type', message, { path: '' });
}

function tooLarge(maxBytes: number): ExportError {
  const message = `A JSON body may have ${maxBytes} bytes at most.`;
  return new ExportError('too_large', 'request.too_large', message);
}
