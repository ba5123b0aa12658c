import type { IncomingMessage } from 'node:http';
import { ExportError } from '../../errors.ts';
import { type JsonLimits, readJson } from '../../timeline/json/json-text.ts';
import { shownValue } from '../../timeline/json/shown-value.ts';
import { type BodyPatience, BodyReader } from './body-reader.ts';

interface ReadJsonBodyOptions {
  readonly json: JsonLimits;
  readonly patience: BodyPatience;
  readonly signal: AbortSignal;
  /** Called when the headers are valid and the body is about to be read. */
  readonly onReading?: () => void;
  /** Called with the size of every buffer before it is parsed. Rejects to end the request. */
  readonly onReceived?: (bytes: number) => Promise<void>;
}

/** Whether the media type is JSON. */
export function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * Reads a body that is one JSON object. (C66, C67)
 *
 * @throws ExportError `request.too_large`, `json.*`, `field.type`, and the errors of reading a body
 */
export async function readJsonBody(
  request: IncomingMessage,
  { json, patience, signal, onReading, onReceived }: ReadJsonBodyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers['content-length'] ?? 0) > json.maxBytes) throw tooLarge(json);
  onReading?.();
  using body = new BodyReader(request, patience, signal);
  const chunks: Buffer[] = [];
  let received = 0;
  for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
    received += chunk.length;
    if (received > json.maxBytes) throw tooLarge(json);
    await onReceived?.(chunk.length);
    chunks.push(chunk);
  }
  const reading = readJson(decoded(Buffer.concat(chunks)), json);
  if ('fault' in reading) {
    const { kind, code, message, path } = reading.fault;
    throw new ExportError(kind, code, message, { path });
  }
  const { value } = reading;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  const message = `The body must be a JSON object with the fields as members, not ${shownValue(value)}.`;
  throw new ExportError('invalid', 'field.type', message, { path: '' });
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExportError('malformed', 'json.not_text', 'The body is not UTF-8 text.', { path: '', cause });
  }
}

function tooLarge({ maxBytes }: JsonLimits): ExportError {
  const message = `A JSON body may have ${maxBytes} bytes at most.`;
  return new ExportError('too_large', 'request.too_large', message);
}
