import { type FastifyRequest, LogController } from 'fastify';
import { sha256 } from '../../platform/sha256.ts';
import { isAbort } from '../wire/reply-problem.ts';

/** A UUID of version 4, but not that of the request, which is returned to the client and grants no access. */
const EXPORT_ID = /(?<!"reqId":")\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;

/**
 * A log line without export ids, because they open downloads: each is replaced by the start of its SHA-256, the same in
 * every line. Covers every way an id can get into a line, such as a path in a system error.
 */
export function withoutExportIds(line: string): string {
  return line.replace(EXPORT_ID, (id) => `#${sha256(id).slice(0, 12)}`);
}

/** The codes of a client that disconnected. */
const HUNG_UP = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Logs responses that break off because of a fault of the service. Fastify's own request lines are off. */
export class ResponseLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { readonly code?: string }, request: FastifyRequest): void {
    if (isAbort(error) || HUNG_UP.has(error.code ?? '')) return;
    request.log.error({ err: error, code: error.code }, 'response broken off');
  }
}
