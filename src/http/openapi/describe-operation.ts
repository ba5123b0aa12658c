import { type ErrorKind, ExportError } from '../../errors.ts';
import {
  cancelledMeanwhile,
  keyRequired,
  PROBLEM,
  PROBLEM_TYPE,
  problemOf,
  scopeRequired,
  unknownExport,
} from '../replies/problem.ts';
import { header, type Responses } from './parts.ts';

/** The tags of operations, in the order in which a reader meets them. */
export const TAGS = {
  Exports: 'Create, list, follow and delete exports.',
  Outputs: 'The output of an export: the MP4 in three presets, poster, chapters, captions.',
  Callbacks: 'The webhooks of an export.',
  Media: 'Files that are sent once and used by many requests.',
  Projects: 'Projects with revisions, links and drafts.',
  Batches: 'Many exports of one project, one for each row of a table.',
  Sessions: 'Sessions for browsers.',
  Service: 'Limits, health and metrics.',
  Pages: 'Pages for people.',
} as const;

type Tag = keyof typeof TAGS;

/** The parts of an operation that differ. */
export interface OperationParts {
  readonly operationId: string;
  readonly tag: Tag;
  /** A few words, without a full stop. */
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly callbacks?: object;
  /** Who may call it: clients with a key, anyone, or the operator. */
  readonly access?: 'key' | 'open' | 'operator';
  /** Whether it does not count against the request limit. */
  readonly unmetered?: boolean;
  /** Its successful responses. */
  readonly replies: Responses;
  /** Its errors, besides those of every request. */
  readonly problems?: readonly ProblemStatus[];
}

/** Operations by method; `parameters` for their common ones. */
export type PathItem = Readonly<Record<string, object>>;

/** Adds the responses that every operation of this kind can return, so that routes do not list them. */
export function operation(parts: OperationParts): object {
  const { operationId, tag, summary, description, parameters, requestBody, callbacks, replies } = parts;
  const { access = 'key', unmetered = false } = parts;
  const common: ProblemStatus[] = [400, 403, 500];
  if (access !== 'open') common.push(401);
  if (!unmetered) common.push(429);
  const statuses = [...new Set([...common, ...(parts.problems ?? [])])].sort((a, b) => a - b);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(access === 'open' && { security: [] }),
    ...(access === 'operator' && { security: [{ operatorKey: [] }] }),
    ...(parameters !== undefined && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: { ...replies, ...problems(...statuses) },
    ...(callbacks !== undefined && { callbacks }),
  };
}

interface ProblemReply {
  readonly description: string;
  readonly headers?: object;
  /** Shown by code. */
  readonly examples: readonly ExportError[];
}

/** On every response to a request that counts against the rate limit. (H22) */
const RATE = {
  'X-RateLimit-Limit': header('Requests a minute that this node allows you.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests that are left in this minute.', { type: 'integer' }),
  'X-RateLimit-Reset': header('Seconds until the count starts again.', { type: 'integer' }),
};

const retryAfter = { 'Retry-After': header('Seconds until the next attempt.', { type: 'integer' }) };

/** Every problem, with its cause and examples. (C33) */
const PROBLEMS = {
  400: {
    description: 'Malformed multipart, JSON or HTTP.',
    examples: [
      example('malformed', 'request.malformed', 'The request is not valid HTTP.'),
      example(
        'malformed',
        'json.syntax',
        'This is not JSON: a value is expected at line 1, column 9, but the text ends.',
        '/settings',
      ),
    ],
  },
  401: {
    description: 'A key is missing or wrong.',
    headers: { 'WWW-Authenticate': header('`Bearer realm="tiercut"`') },
    examples: [keyRequired()],
  },
  403: {
    description: 'From a page of another origin, to a name that is not known, or with a key that lacks the scope.',
    examples: [
      example(
        'invalid',
        'request.cross_site',
        'A page of another origin sent this request. TIERCUT_CORS_ORIGINS lists the origins that can change something.',
      ),
      scopeRequired('render'),
    ],
  },
  404: {
    description: 'Unknown, deleted, expired or of another tenant; the body is the same.',
    examples: [unknownExport()],
  },
  406: {
    description: 'No acceptable media type.',
    examples: [
      example(
        'invalid',
        'request.not_acceptable',
        'The Accept header allows none of the available types: application/json, text/html.',
      ),
    ],
  },
  408: {
    description: 'The request was too slow.',
    examples: [example('unavailable', 'multipart.too_slow', 'The request did not arrive in time.')],
  },
  409: {
    description:
      'The export was cancelled; or an upload would leave a gap or continues on another connection; or a project uses the content; or there are as many projects, drafts or links as allowed.',
    headers: { 'Upload-Offset': header('Where an upload goes on.', { type: 'integer' }) },
    examples: [cancelledMeanwhile()],
  },
  411: {
    description: 'The request has no length.',
    examples: [
      example(
        'malformed',
        'media.length_required',
        'Send the length of the body with Content-Length, or with Content-Range if that is not possible.',
      ),
    ],
  },
  412: {
    description: '`If-Match` names another version.',
    examples: [example('invalid', 'request.precondition', 'The video does not match If-Match.')],
  },
  413: {
    description: 'Too large: a part, a file, or the whole.',
    examples: [
      example(
        'too_large',
        'multipart.file_too_large',
        'The uploaded file is larger than the 1073741824 bytes allowed.',
        '/clip_1',
      ),
    ],
  },
  415: {
    description: 'The `Content-Type` is neither multipart/form-data nor application/json.',
    examples: [
      example(
        'unsupported',
        'request.not_multipart',
        'The request must be multipart/form-data or application/json; its Content-Type says "text/plain".',
      ),
    ],
  },
  416: {
    description: 'The range is outside of the video.',
    headers: { 'Content-Range': header('`bytes */<size>`') },
    examples: [
      example('invalid', 'request.range', 'The video has 1048576 bytes; the requested range is outside of them.'),
    ],
  },
  422: {
    description:
      'The request is not valid; or the idempotency key was used for other content; or a file is of an unsupported kind or cannot be rendered.',
    examples: [
      example(
        'invalid',
        'field.range',
        'speed must be a number from 0.1 to 10, not 40.',
        '/timeline_data/videos/0/speed',
      ),
      example(
        'invalid',
        'idempotency.conflict',
        'This Idempotency-Key was used before with other content. Use a new key for a new request.',
      ),
    ],
  },
  428: {
    description: 'Overwriting needs `If-Match`.',
    examples: [
      example(
        'invalid',
        'request.if_match_required',
        'The project exists: name the revision that you overwrite in If-Match.',
      ),
    ],
  },
  429: {
    description: 'The queue is full or the rate limit is reached; `Retry-After` says when to retry.',
    headers: { ...retryAfter, ...RATE },
    examples: [
      example(
        'unavailable',
        'rate.exceeded',
        'More than the 1200 allowed requests a minute. The Retry-After header says when to retry.',
      ),
    ],
  },
  500: {
    description: 'Internal error.',
    examples: [
      example(
        'internal',
        'internal.error',
        'An internal error occurred. The log has it under the X-Request-Id of this response.',
      ),
    ],
  },
  501: {
    description: 'No speech model for this.',
    examples: [
      example(
        'missing',
        'captions.no_model',
        'No speech model is installed. Install one with "tiercut captions install".',
      ),
    ],
  },
  503: {
    description: 'Shutting down or not ready.',
    headers: retryAfter,
    examples: [
      example(
        'unavailable',
        'service.closing',
        'The service is shutting down and accepts no new exports. Try again in a moment.',
      ),
    ],
  },
  507: {
    description: 'The disk is full, or a quota is used up.',
    headers: retryAfter,
    examples: [example('unavailable', 'disk.full', 'The disk has no space for another export. Try again later.')],
  },
} as const satisfies Record<number, ProblemReply>;

export type ProblemStatus = keyof typeof PROBLEMS;

/** References to the problems of these statuses. */
function problems(...statuses: readonly ProblemStatus[]): Responses {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

/** The referenced responses. */
export function problemReplies(): Record<string, { readonly description: string }> {
  return Object.fromEntries(
    Object.entries(PROBLEMS as Record<string, ProblemReply>).map(([status, { description, headers, examples }]) => [
      `Problem${status}`,
      {
        description,
        headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers },
        content: {
          [PROBLEM_TYPE]: {
            schema: PROBLEM,
            examples: Object.fromEntries(
              examples.map((error) => [error.code, { value: problemOf(error, Number(status)) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** An error as the service makes it, so that the example equals a real response. */
function example(kind: ErrorKind, code: string, message: string, path?: string): ExportError {
  return new ExportError(kind, code, message, path === undefined ? {} : { path });
}
