import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportError, isCancelled } from '../../errors.ts';
import type { ExportFailure } from '../../exports/api/export-view.ts';
import { problemHeaders, problemOf, statusOf, statusOfFailure } from './problem.ts';

/** Sends a problem. An unexpected error is logged completely, and the client gets no details of it. (C32) */
export function replyProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, as?: number): FastifyReply {
  const known = error instanceof ExportError ? error : (fromAbort(error) ?? fromFastify(error));
  const status = as ?? statusOf(known);
  if (status >= 500) request.log.error({ err: error, code: codeOf(known) }, 'request failed');
  else request.log.debug({ err: error, code: codeOf(known) }, 'request refused');
  for (const [name, value] of Object.entries(problemHeaders(status))) {
    if (!(name === 'retry-after' && reply.hasHeader(name))) reply.header(name, value);
  }
  // As bytes, because for a text the framework would add a charset, which JSON does not have.
  return reply.code(status).send(Buffer.from(JSON.stringify(problemOf(known, status))));
}

/** The recorded failure of an accepted export or output, as if it had been found at once. (C34) */
export function replyFailure(failure: ExportFailure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { kind, code, message, issues } = failure;
  return replyProblem(new ExportError(kind, code, message, { issues }), request, reply, statusOfFailure(kind));
}

function codeOf(error: unknown): string {
  return error instanceof ExportError ? error.code : 'internal.error';
}

/** Work that was stopped because its client left; nothing has failed. */
function fromAbort(error: unknown): ExportError | null {
  if (!isAbort(error)) return null;
  return new ExportError('cancelled', 'multipart.aborted', 'The request was interrupted.', { cause: error });
}

/** Whether work ended because its signal aborted. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Whether work ended because its signal aborted or its caller cancelled it; nothing has failed. */
export function isStopped(error: unknown): boolean {
  return isAbort(error) || isCancelled(error);
}

/** Of Fastify's own errors only client errors are returned, with our messages. */
function fromFastify(error: unknown): unknown {
  const { statusCode: status } = error as { statusCode?: unknown };
  if (typeof status !== 'number' || status < 400 || status >= 500) return error;
  return new ExportError('malformed', 'request.malformed', 'The request is not valid HTTP.', {
    cause: error,
  });
}
