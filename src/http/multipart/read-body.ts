import type { IncomingMessage, ServerResponse } from 'node:http';
import { ExportError } from '../../errors.ts';
import { type BodyPatience, BodyReader } from './body-reader.ts';

interface BodyLimits {
  readonly maxBytes: number;
  readonly patience: BodyPatience;
}

/** Reads a small body completely. @throws `request.too_large`, and the errors of the reader. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, patience }: BodyLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
  using reader = new BodyReader(request, patience, signal);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let chunk = await reader.next(); chunk !== null; chunk = await reader.next()) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const message = `The body can have at most ${maxBytes} bytes.`;
      throw new ExportError('too_large', 'request.too_large', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
