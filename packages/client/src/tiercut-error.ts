import type { Issue, Problem } from './wire-types.ts';

/** Statuses of a service that is busy or restarts. */
export const PASSING_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/**
 * Any failure except an abort: the service's response (`application/problem+json`), or a failed connection. An abort
 * throws the reason of its signal.
 */
export class TiercutError extends Error {
  override readonly name = 'TiercutError';
  /** Stable: one of the service's codes (`ErrorCode`, or one of a later release), or `client.unreachable`, `client.damaged`, `client.changed`, `client.unexpected`, `client.signature`, `client.usage`. */
  readonly code: string;
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /** All that is wrong with the request. */
  readonly errors: readonly Issue[];
  /** The warnings of the service: a misspelt field often explains an error. */
  readonly warnings: readonly Issue[];
  /** When it may be worth another try. */
  readonly retryAfterSeconds: number | null;
  /** Whether a retry may succeed: after a broken connection, or with a busy service. */
  readonly isPassing: boolean;

  constructor(
    code: string,
    message: string,
    detail: {
      readonly status?: number;
      readonly errors?: readonly Issue[];
      readonly warnings?: readonly Issue[];
      readonly retryAfterSeconds?: number | null;
      readonly isPassing?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = code;
    this.status = detail.status ?? 0;
    this.errors = detail.errors ?? [];
    this.warnings = detail.warnings ?? [];
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.isPassing = detail.isPassing ?? (code === 'client.unreachable' || PASSING_STATUSES.includes(this.status));
  }

  /** The same, where it may pass all the same. */
  asPassing(): TiercutError {
    return this.#as(true);
  }

  /** The same, where it is not retried. */
  lasting(): TiercutError {
    return this.#as(false);
  }

  #as(isPassing: boolean): TiercutError {
    return new TiercutError(this.code, this.message, { ...this, cause: this.cause, isPassing });
  }
}

/** The seconds of a `Retry-After`. */
export function secondsIn(retryAfter: string | null | undefined): number | null {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Turns a response that is not a success into an error. */
export async function errorOf(response: Response): Promise<TiercutError> {
  const detail = { status: response.status, retryAfterSeconds: secondsIn(response.headers.get('retry-after')) };
  const text = await response.text().catch(() => '');
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (typeof problem.code === 'string') {
      const { errors = [], warnings = [] } = problem;
      return new TiercutError(problem.code, String(problem.detail), { ...detail, errors, warnings });
    }
  } catch {
    // A proxy has answered, in its own format.
  }
  return new TiercutError('client.unexpected', `The service responded with ${response.status}.`, detail);
}
