import { errorOf, TiercutError } from './tiercut-error.ts';

export interface ConnectionOptions {
  /** Where the service is: `https://video.example.org`; in a page of its own, `location.origin`. */
  readonly url: string;
  /** An API key, where the service asks for one. */
  readonly key?: string;
  /** How often something that may pass is tried again; 4 if absent. */
  readonly retries?: number;
  /** Another `fetch`. */
  readonly fetch?: typeof fetch;
}

/** How one request is sent. */
export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly signal?: AbortSignal | undefined;
  /** Statuses that are an answer rather than an error, beside the 200s. */
  readonly accepts?: readonly number[];
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;

/** The way to a service: addresses, the key, errors, and trying again. */
export class Connection {
  readonly #base: string;
  readonly #key: string | undefined;
  readonly #fetch: typeof fetch;
  readonly retries: number;

  constructor({ url, key, retries = 4, fetch: given }: ConnectionOptions) {
    this.#base = url.replace(/\/+$/, '');
    this.#key = key;
    this.retries = retries;
    // Called as a bare function: a browser's own refuses to be a method of something else.
    this.#fetch = given ?? ((input, init) => fetch(input, init));
  }

  /** Sends a request once. @throws TiercutError; the signal's reason. */
  async send(path: string, { accepts = [], headers, ...init }: RequestOptions = {}): Promise<Response> {
    const { signal } = init;
    signal?.throwIfAborted();
    const authorization = this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` };
    let response: Response;
    try {
      const { signal: _, ...rest } = init;
      response = await this.#fetch(this.#base + path, {
        ...rest,
        headers: { ...headers, ...authorization },
        ...(signal !== undefined && { signal }),
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw unreachable(cause);
    }
    if (response.ok || accepts.includes(response.status)) return response;
    throw await errorOf(response);
  }

  /** The JSON of an answer. */
  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const headers = { accept: 'application/json', ...options.headers };
    return this.again(async () => {
      const response = await this.send(path, { ...options, headers });
      return (await response.json().catch((cause: unknown) => {
        options.signal?.throwIfAborted();
        throw unreachable(cause);
      })) as T;
    }, options.signal);
  }

  /** Does what may be done twice, again for as long as its failure may pass. */
  async again<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof TiercutError && error.isPassing) || tries >= this.retries) throw error;
        await pause(pauseMs(tries, error.retryAfterSeconds), signal);
      }
    }
  }
}

/** How long to wait before the next try: longer each time, and not all clients at once. */
export function pauseMs(tries: number, retryAfterSeconds: number | null): number {
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries) * (0.75 + Math.random() / 2);
  return Math.max(usual, (retryAfterSeconds ?? 0) * 1000);
}

export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

/** A connection that failed or broke off. */
export function unreachable(cause: unknown): TiercutError {
  return new TiercutError('client.unreachable', 'The service cannot be reached, or the connection broke off.', {
    cause,
  });
}
