import { type ErrorKind, ExportError } from '../../errors.ts';
import { cancelledMeanwhile, keyRequired, PROBLEM_TYPE, problemOf, unknownExport } from '../wire/problem.ts';
import { header, type Responses } from './replies.ts';

interface ProblemReply {
  readonly description: string;
  readonly headers?: object;
  /** Shown by their codes. */
  readonly examples: readonly ExportError[];
}

const retryAfter = { 'Retry-After': header('When to come back, in seconds.', { type: 'integer' }) };

/** Every problem there is, when, and how it looks. (C33) */
const PROBLEMS = {
  400: {
    description: 'Malformed multipart, JSON or HTTP.',
    examples: [
      example('malformed', 'request.malformed', 'The request is not one that HTTP allows.'),
      example(
        'malformed',
        'json.syntax',
        'This is not JSON: a value should stand at line 1, column 9, but the text ends.',
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
    description: 'From a page of another origin, or to a name that is not known.',
    examples: [
      example(
        'invalid',
        'request.cross_site',
        'This came from a page of another origin, and changes something; TIERCUT_CORS_ORIGINS lists who may.',
      ),
    ],
  },
  404: {
    description: 'Unknown, deleted, expired or not yours: one and the same body.',
    examples: [unknownExport()],
  },
  406: {
    description: 'None of the types we can give.',
    examples: [
      example(
        'invalid',
        'request.not_acceptable',
        'This can be had as application/json, text/html; the Accept header allows none of these.',
      ),
    ],
  },
  408: {
    description: 'The request came too slowly.',
    examples: [example('unavailable', 'multipart.too_slow', 'The request did not arrive in time.')],
  },
  409: {
    description:
      'The export was cancelled meanwhile; or an upload would leave a gap, or goes on through another connection; or a project uses the content.',
    headers: { 'Upload-Offset': header('Where an upload goes on.', { type: 'integer' }) },
    examples: [cancelledMeanwhile()],
  },
  411: {
    description: 'Nothing says how many bytes will come.',
    examples: [
      example(
        'malformed',
        'media.length_required',
        'Say how many bytes will come: with Content-Length, or with Content-Range where that is not possible.',
      ),
    ],
  },
  412: {
    description: '`If-Match` names another version.',
    examples: [example('invalid', 'request.precondition', 'The video is not the one that If-Match names.')],
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
    description: 'Not multipart/form-data, or media of a kind we do not take.',
    examples: [
      example(
        'unsupported',
        'request.not_multipart',
        'The request must be multipart/form-data; its Content-Type says "application/json".',
      ),
    ],
  },
  416: {
    description: 'The range lies outside of the video.',
    headers: { 'Content-Range': header('`bytes */<size>`') },
    examples: [
      example('invalid', 'request.range', 'The video has 1048576 bytes; the range asked for lies outside of them.'),
    ],
  },
  422: {
    description:
      'Well-formed, but not possible; or an idempotency key used for something else; or the media cannot be rendered.',
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
        'The project is there already: name the revision that you overwrite in If-Match.',
      ),
    ],
  },
  429: {
    description: 'The queue is full or too many requests came; `Retry-After` says when to come back.',
    headers: retryAfter,
    examples: [
      example(
        'unavailable',
        'rate.exceeded',
        'More than the 1200 requests a minute allowed were made; the Retry-After header says when to go on.',
      ),
    ],
  },
  500: {
    description: 'Our fault.',
    examples: [
      example(
        'internal',
        'internal.error',
        'Something went wrong on our side. The X-Request-Id header of this reply names it in our log.',
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
        'The service is shutting down and takes no new exports; try again in a moment.',
      ),
    ],
  },
  507: {
    description: 'No room on the disk, or a quota is used up.',
    headers: retryAfter,
    examples: [
      example('unavailable', 'disk.full', 'There is not enough room on the disk for another export. Try again later.'),
    ],
  },
} as const satisfies Record<number, ProblemReply>;

export type ProblemStatus = keyof typeof PROBLEMS;

/** References to the problems of these statuses. */
export function problems(...statuses: readonly ProblemStatus[]): Responses {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]));
}

/** What those references lead to. */
export function problemReplies(): Record<string, { readonly description: string }> {
  return Object.fromEntries(
    Object.entries(PROBLEMS as Record<string, ProblemReply>).map(([status, { description, headers, examples }]) => [
      `Problem${status}`,
      {
        description,
        headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' }, ...headers },
        content: {
          [PROBLEM_TYPE]: {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              examples.map((error) => [error.code, { value: problemOf(error, Number(status)) }]),
            ),
          },
        },
      },
    ]),
  );
}

/** An error as the service would make it, so that the example is what goes over the wire. */
function example(kind: ErrorKind, code: string, message: string, path?: string): ExportError {
  return new ExportError(kind, code, message, path === undefined ? {} : { path });
}
