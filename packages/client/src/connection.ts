import { type Retry, retryTimes } from './retry.ts';
import { errorOf, TiercutError } from './tiercut-error.ts';

export interface ConnectionOptions {
  /** The address of the service: `https://video.example.org`; in a page of the service, `location.origin`. */
  readonly url: string;
  /** An API key, where the service asks for one. */
  readonly key?: string;
  /** How often a temporary failure is retried, 4 if absent; or your own policy. */
  readonly retry?: number | Retry;
  /** Another `fetch`. */
  readonly fetch?: typeof fetch;
}

/** How one request is sent. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  /** The body as a value, which is sent as JSON. */
  readonly json?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Statuses that are a result rather than an error, besides the 200s. */
  readonly accepts?: readonly number[];
}

/** The connection to a service: addresses, the key, errors, and retries. */
export class Connection {
  readonly #base: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;
  readonly #retry: Retry;

  constructor({ url, key, retry = 4, fetch: given }: ConnectionOptions) {
    if (typeof url !== 'string') throw new TiercutError('client.usage', '`url` must be the URL of the service.');
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
    this.#retry = typeof retry === 'number' ? retryTimes(retry) : retry;
    // Called as a bare function: a browser's `fetch` must not be called as a method of another object.
    this.#fetch = given ?? ((input, init) => fetch(input, init));
  }

  /** Sends a request once. @throws TiercutError; the signal's reason. */
  async send(path: string, { accepts = [], headers, json, ...init }: RequestOptions = {}): Promise<Response> {
    const { signal } = init;
    signal?.throwIfAborted();
    const authorization = this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` };
    const type = json === undefined ? {} : { 'content-type': 'application/json' };
    let response: Response;
    try {
      const { signal: _, ...rest } = init;
      response = await this.#fetch(this.#base + path, {
        ...rest,
        ...(json !== undefined && { body: JSON.stringify(json) }),
        headers: { ...type, ...headers, ...authorization },
        ...(signal !== undefined && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      // A `fetch` of the caller can say more.
      throw cause instanceof TiercutError ? cause : unreachable(cause);
    }
    if (response.ok || accepts.includes(response.status)) return response;
    throw await errorOf(response);
  }

  /** The JSON of an answer. */
  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const headers = { accept: 'application/json', ...options.headers };
    return this.again(
      async () => (await this.send(path, { ...options, headers })).json() as Promise<T>,
      options.signal,
    );
  }

  /** The bytes of an answer. */
  async blob(path: string, options: RequestOptions = {}): Promise<Blob> {
    const headers = { accept: 'application/octet-stream', ...options.headers };
    return this.again(async () => (await this.send(path, { ...options, headers })).blob(), options.signal);
  }

  /** Runs an idempotent request, and retries it as often as the policy allows. */
  async again<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        await this.passed(error, attempt, signal);
      }
    }
  }

  /**
   * Resolves when the failed request may be sent again.
   *
   * @throws TiercutError if the policy does not retry the failure; the signal's reason.
   */
  async passed(error: unknown, attempt: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const failure = failureOf(error);
    if (!(await this.#retry(failure, attempt, signal))) throw failure;
  }
}

/** Any other error while a response is read is a broken connection. */
function failureOf(error: unknown): TiercutError {
  if (error instanceof TiercutError) return error;
  if (!(error instanceof SyntaxError)) return unreachable(error);
  return new TiercutError('client.unexpected', 'The response does not come from a Tiercut service.', { cause: error });
}

/** A connection that failed or broke off. */
export function unreachable(cause: unknown): TiercutError {
  return new TiercutError('client.unreachable', 'The service cannot be reached, or the connection was interrupted.', {
    cause,
  });
}
