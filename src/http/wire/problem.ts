import { STATUS_CODES } from 'node:http';
import { type ErrorKind, ExportError, type Issue, isRequestFault } from '../../errors.ts';

/** The body of every error response. (C32, RFC 9457) */
interface Problem {
  /** The address of a page about the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly ok: false;
  readonly code: string;
  readonly errors: readonly Issue[];
  /** Present only if there are some. */
  readonly warnings?: readonly Issue[];
}

export const PROBLEM_TYPE = 'application/problem+json';

/** The status of each kind of failure. (C33) */
const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  malformed: 400,
  invalid: 422,
  unsupported: 415,
  missing: 404,
  too_large: 413,
  unavailable: 503,
  cancelled: 409,
  internal: 500,
};

/** Codes with a more specific status than their kind's. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  'auth.required': 401,
  'request.cross_site': 403,
  'request.unknown_host': 403,
  'request.method': 405,
  'request.not_acceptable': 406,
  'request.too_slow': 408,
  'multipart.too_slow': 408,
  'callback.not_due': 409,
  'media.length_required': 411,
  'request.precondition': 412,
  'request.range': 416,
  'request.expectation': 417,
  'request.if_match_required': 428,
  'rate.exceeded': 429,
  'queue.full': 429,
  'upload.too_many': 429,
  'frame.too_many': 429,
  'callback.busy': 429,
  'upload.under_way': 429,
  'request.headers_too_large': 431,
  'captions.too_many': 429,
  'captions.no_model': 501,
  'captions.no_language': 501,
  'multipart.disk_full': 507,
  'disk.full': 507,
  'media.quota_full': 507,
  'project.too_many': 507,
  'draft.too_many': 507,
  'link.too_many': 507,
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
export function statusOf(error: unknown): number {
  if (!(error instanceof ExportError)) return 500;
  return STATUS_OF_CODE[error.code] ?? STATUS_OF_KIND[error.kind];
}

/** Any failure as a problem; an unexpected one reveals no details. */
export function problemOf(error: unknown, status = statusOf(error)): Problem {
  const { code, message, issues, warnings } = error instanceof ExportError ? error : INTERNAL_ERROR;
  return {
    type: `/docs/errors#${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: detailOf(message, issues),
    ok: false,
    code,
    errors: issues,
    ...(warnings.length > 0 && { warnings }),
  };
}

/** A sentence that is complete by itself: if there is only one issue, it names its path. */
function detailOf(message: string, issues: readonly Issue[]): string {
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

/** The same for unknown, deleted, expired and other tenants' exports. (C33) */
export function unknownExport(): ExportError {
  return new ExportError('missing', 'export.unknown', 'This export does not exist or has expired.');
}

/** The same for unknown, expired, deleted and other tenants' media. (C33) */
export function unknownMedia(): ExportError {
  return new ExportError('missing', 'media.unknown', 'This content does not exist or has expired.');
}

/** The response to a request without a valid key. */
export function keyRequired(): ExportError {
  const message = 'This needs a valid API key, sent as "Authorization: Bearer <key>".';
  return new ExportError('missing', 'auth.required', message);
}

/** The export was deleted while its creator waited for it. (C29) */
export function cancelledMeanwhile(): ExportError {
  return new ExportError('cancelled', 'export.cancelled', 'The export was cancelled during the request.');
}

/** The status of a render that failed after it was accepted: a fault of the media or of the service. (C34) */
export function statusOfFailure(kind: ErrorKind): number {
  return isRequestFault(kind) ? 422 : 500;
}

/** A part of an export that does not exist yet. */
export function notReady(what: string): ExportError {
  return new ExportError('missing', 'export.not_ready', `The ${what} of this export is not ready yet.`);
}
