/** What a caller can do about a failure. HTTP, CLI and queue each map it once; no code reads messages. */
export type ErrorKind =
  | 'malformed' // not even the right grammar: multipart or JSON
  | 'invalid' // well-formed, but it asks for something impossible
  | 'unsupported' // media we do not take
  | 'missing' // no such thing, or not yours
  | 'too_large' // over a limit on size
  | 'unavailable' // try again later
  | 'cancelled' // the caller asked us to stop
  | 'internal'; // our fault

/** One thing that is wrong (an error) or tolerated (a warning), at one place of the request. */
export interface Issue {
  /** JSON Pointer into the request; for a missing field, of its parent. */
  readonly path: string;
  /** Stable, listed in docs/reference/errors.md. */
  readonly code: string;
  /** The error, the value found and the values allowed: a sentence for the user. */
  readonly message: string;
}

/** Any failure we foresaw. `message` is for the user; secrets and disk paths stay in `cause`. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  /** Stable, listed in docs/reference/errors.md. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** JSON Pointer into the request, where one place is at fault. */
  readonly path: string | undefined;
  /** All errors; one entry if there is only one. (C5) */
  readonly issues: readonly Issue[];
  /** The warnings besides: a misspelt field often explains an error. */
  readonly warnings: readonly Issue[];

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    detail: { path?: string; issues?: readonly Issue[]; warnings?: readonly Issue[]; cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.code = code;
    this.path = detail.path;
    this.issues = detail.issues ?? (detail.path === undefined ? [] : [{ path: detail.path, code, message }]);
    this.warnings = detail.warnings ?? [];
  }
}

/** Whether the cause is in the request or its media, or the caller stopped it, so that another try is of no use. */
export function isRequestFault(kind: ErrorKind): boolean {
  return kind !== 'internal' && kind !== 'unavailable';
}

/** Whether the caller asked us to stop. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ExportError && error.kind === 'cancelled';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
