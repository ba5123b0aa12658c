import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorKind, ExportError, type Issue, isCancelled, isRequestFault } from '../../errors.ts';
import type { ExportFailure } from '../../exports/api/export-view.ts';
import { PROJECT_ROOT } from '../../platform/program-files.ts';
import { constant, integer, list, object, of, optional, path, Schema, type TypeOf, text } from './schema.ts';

/** The one list of codes is a page for people; below, a part of it is for programs. */
const ERRORS_PAGE = 'docs/reference/errors.md';

/** These codes never appear in a response. */
const LOCAL_SECTION = '## Command line and configuration';

/** Every code that a response can hold. (C32) */
function errorCodes(): string[] {
  const [overHttp] = readFileSync(join(PROJECT_ROOT, ERRORS_PAGE), 'utf8').split(LOCAL_SECTION, 1);
  return [...overHttp!.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \|/gm)].map(([, code]) => code!);
}

const ERROR_CODE = new Schema<string>(
  () => ({
    type: 'string',
    enum: errorCodes(),
    description:
      'The codes of this release; /docs/errors explains each. A code keeps its meaning. A later release can add codes: treat ' +
      'one that you do not know by the status of its response.',
  }),
  { name: 'ErrorCode' },
);

/** Open-ended, so that a client that validates responses accepts a code of a later release. */
const CODE = new Schema<string>({ anyOf: [ERROR_CODE, text()], description: 'A stable code.' });

export const ISSUE = object<Issue>(
  {
    path: text('A JSON Pointer to the place in the request; for a missing field, to its parent.'),
    code: CODE,
    message: text('What is wrong, for people. It can change in any release.'),
  },
  { name: 'Issue', description: 'One error or warning.' },
);

/** A list of warnings. */
export const WARNINGS = list(ISSUE, 'What the service ignored or changed in the request.');

/** Proxies and clients accept 8 KB of headers in all. */
const MAX_WARNING_BYTES = 2_000;

/** The warnings of a response that is no JSON: as many as fit, as JSON in ASCII. */
export function warningsHeader(warnings: readonly Issue[]): { readonly 'tiercut-warnings'?: string } {
  if (warnings.length === 0) return {};
  const shown: string[] = [];
  let bytes = 2;
  for (const warning of warnings) {
    const text = JSON.stringify(warning).replace(/[^\x20-\x7e]/g, (unit) => {
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    bytes += text.length + 1;
    if (bytes > MAX_WARNING_BYTES) break;
    shown.push(text);
  }
  return { 'tiercut-warnings': `[${shown.join(',')}]` };
}

const ERRORS = list(ISSUE, 'Every error of the request.');
const DETAIL = text('What is wrong, for people.');

/** Why an export, or one of its outputs, failed. (C34) */
export const FAILURE = of<ExportFailure>().named('Failure', 'The reason of the failure.', {
  code: [CODE, ({ code }) => code],
  detail: [DETAIL, ({ message }) => message],
  errors: [ERRORS, ({ issues }) => issues],
});

/** The body of every error response. (C32, RFC 9457) */
export const PROBLEM = of<{ readonly error: ExportError; readonly status: number }>().named(
  'Problem',
  'RFC 9457. Lists all errors at once.',
  {
    type: [path('The address of the description of `code`.'), ({ error }) => `/docs/errors#${error.code}`],
    title: [text('The reason phrase of the status.'), ({ status }) => STATUS_CODES[status] ?? 'Error'],
    status: [integer('The HTTP status.'), ({ status }) => status],
    detail: [DETAIL, ({ error }) => detailOf(error)],
    ok: [constant(false, 'false: the request failed.'), () => false as const],
    code: [CODE, ({ error }) => error.code],
    errors: [ERRORS, ({ error }) => error.issues],
    warnings: [
      optional(list(ISSUE, 'The warnings, if there are any: a misspelt field can be the reason for a missing one.')),
      ({ error: { warnings } }) => (warnings.length > 0 ? warnings : undefined),
    ],
  },
);

export const PROBLEM_TYPE = 'application/problem+json';

/** The status of each kind of failure. (C33) */
const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  malformed: 400,
  invalid: 422,
  unsupported: 422,
  missing: 404,
  too_large: 413,
  unavailable: 503,
  cancelled: 409,
  internal: 500,
};

/** Codes with a more specific status than their kind's. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  'auth.required': 401,
  'auth.scope': 403,
  'request.cross_site': 403,
  'request.unknown_host': 403,
  'request.method': 405,
  'request.not_acceptable': 406,
  'request.too_slow': 408,
  'multipart.too_slow': 408,
  'callback.not_due': 409,
  'batch.nothing_failed': 409,
  'project.too_many': 409,
  'draft.too_many': 409,
  'link.too_many': 409,
  'callback.ended': 409,
  'webhook.disabled': 409,
  'webhook.too_many': 409,
  'media.length_required': 411,
  'request.precondition': 412,
  'request.not_multipart': 415,
  'request.not_json': 415,
  'request.content_encoding': 415,
  'project.thumbnail': 415,
  'request.range': 416,
  'request.expectation': 417,
  'request.if_match_required': 428,
  'rate.exceeded': 429,
  'queue.full': 429,
  'batch.too_many': 429,
  'upload.too_many': 429,
  'document.too_many': 429,
  'wait.too_many': 429,
  'frame.too_many': 429,
  'callback.busy': 429,
  'upload.under_way': 429,
  'request.headers_too_large': 431,
  'captions.too_many': 429,
  'captions.no_model': 501,
  'captions.no_language': 501,
  'captions.install_failed': 501,
  'multipart.disk_full': 507,
  'disk.full': 507,
  'media.quota_full': 507,
  'store.disk_full': 507,
};

/** Seconds until the next try. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 15, 503: 5, 507: 120 };

/** The response to an unexpected error; it contains no internal details. */
const INTERNAL_ERROR = new ExportError(
  'internal',
  'internal.error',
  'An internal error occurred. The log has it under the X-Request-Id of this response.',
);

/** The status of a failure. */
function statusOf(error: unknown): number {
  if (!(error instanceof ExportError)) return 500;
  return STATUS_OF_CODE[error.code] ?? STATUS_OF_KIND[error.kind];
}

/** Any failure as a problem; an unexpected one reveals no details. */
export function problemOf(error: unknown, status = statusOf(error)): TypeOf<typeof PROBLEM> {
  return PROBLEM.write({ error: error instanceof ExportError ? error : INTERNAL_ERROR, status });
}

/** A sentence that is complete by itself: if there is only one issue, it names its path. */
function detailOf({ message, issues }: ExportError): string {
  const [only, ...others] = issues;
  return only === undefined || others.length > 0 || only.path === '' ? message : `${only.path}: ${message}`;
}

/** The headers of a problem. */
export function problemHeaders(status: number): Readonly<Record<string, string>> {
  const retryAfter = RETRY_AFTER[status];
  return {
    'content-type': PROBLEM_TYPE,
    'cache-control': 'no-store',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="tiercut"' }),
  };
}

/** The same for unknown, deleted, expired and other tenants' exports. (H19) */
export function unknownExport(): ExportError {
  return new ExportError('missing', 'export.unknown', 'This export does not exist or has expired.');
}

/** The same for unknown, expired, deleted and other tenants' media. (H19) */
export function unknownMedia(): ExportError {
  return new ExportError('missing', 'media.unknown', 'This content does not exist or has expired.');
}

/** The response to a request without a valid key. */
export function keyRequired(): ExportError {
  const message = 'This needs a valid API key, sent as "Authorization: Bearer <key>".';
  return new ExportError('missing', 'auth.required', message);
}

/** The response to a request that only the operator may send. (C81) */
export function operatorKeyRequired(): ExportError {
  const message =
    'This needs the key of the operator, TIERCUT_METRICS_KEY, or an API key with the scope operate, sent as "Authorization: Bearer <key>".';
  return new ExportError('missing', 'auth.required', message);
}

/** The key is valid and allows less. (C95) */
export function scopeRequired(scope: 'read' | 'render'): ExportError {
  const message = `This request needs an API key with the scope ${scope}.`;
  return new ExportError('missing', 'auth.scope', message);
}

/** The export was deleted while its creator waited for it. (C29) */
export function cancelledMeanwhile(): ExportError {
  return new ExportError('cancelled', 'export.cancelled', 'The export was cancelled during the request.');
}

/** The status of a render that failed after it was accepted: a fault of the media or of the service. (C34) */
function statusOfFailure(kind: ErrorKind): number {
  return isRequestFault(kind) ? 422 : 500;
}

/** A part of an export that does not exist yet. */
export function notReady(what: string): ExportError {
  return new ExportError('missing', 'export.not_ready', `The ${what} of this export is not ready yet.`);
}

/** Sends a problem. An unexpected error is logged completely, and the client gets no details of it. (C32) */
export function replyProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, as?: number): FastifyReply {
  const known = error instanceof ExportError ? error : (fromAbort(error) ?? fromFastify(error));
  const status = as ?? statusOf(known);
  request.problem = codeOf(known);
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
