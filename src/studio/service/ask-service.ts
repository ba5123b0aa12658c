import { signal } from '@preact/signals';
import type { Issue } from '../../errors.ts';

/** The service said no, and why. (C32) */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem';
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  /** From `Retry-After`; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** Of the reply, lower-case names. */
  readonly headers: Headers;

  constructor(message: string, reply: { status: number; code: string; issues: readonly Issue[]; headers: Headers }) {
    super(message);
    this.status = reply.status;
    this.code = reply.code;
    this.issues = reply.issues;
    this.headers = reply.headers;
    const after = Number(reply.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterMs = Number.isFinite(after) ? after * 1000 : null;
  }
}

/** Whether the service did not answer when it was asked last. It is asked again until it does. */
export const serviceGone = signal(false);
/** Whether a key is wanted before anything goes on; the export panel asks for it. (C51) */
export const keyWanted = signal(false);

let keyCame: (() => void)[] = [];
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];

interface AskOptions extends Omit<RequestInit, 'signal'> {
  readonly signal: AbortSignal;
}

/**
 * Asks the service, as often as it takes: where it does not answer (it is gone, or the network is) or asks to come back
 * later, it is asked again after a pause, or as soon as the browser is online; where it wants a key, after one was given. So
 * whoever calls this goes on where it stopped.
 *
 * @param make makes the request anew for each attempt, since a body can be sent once.
 * @throws ServiceProblem, or the signal's reason.
 */
export async function askService(path: string, make: () => AskOptions): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const options = make();
    options.signal.throwIfAborted();
    let pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]!;
    try {
      const reply = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
      serviceGone.value = false;
      if (reply.ok) return reply;
      const problem = await problemOf(reply);
      if (problem.status === 401) {
        await waitForKey(options.signal);
        continue;
      }
      const later =
        problem.status === 429 || problem.status === 503 || problem.status === 502 || problem.status === 504;
      if (!later) throw problem;
      pauseMs = Math.min(30_000, problem.retryAfterMs ?? pauseMs);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      options.signal.throwIfAborted();
      serviceGone.value = true;
    }
    await pauseOrOnline(pauseMs, options.signal);
  }
}

/** Opens a session with a key. @returns what is wrong with it; null: nothing, and what waited goes on. (C51) */
export async function giveKey(key: string): Promise<string | null> {
  const reply = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ key }),
  }).catch(() => null);
  if (reply === null) return 'The service does not answer.';
  if (!reply.ok)
    return reply.status === 401 ? 'This is not one of the service’s keys.' : (await problemOf(reply)).message;
  keyWanted.value = false;
  for (const go of keyCame) go();
  keyCame = [];
  return null;
}

function waitForKey(signal: AbortSignal): Promise<void> {
  keyWanted.value = true;
  return new Promise((resolve, reject) => {
    keyCame.push(resolve);
    signal.addEventListener('abort', () => {
      keyWanted.value = false;
      reject(signal.reason);
    });
  });
}

async function problemOf(reply: Response): Promise<ServiceProblem> {
  const body = (await reply.json().catch(() => ({}))) as { detail?: string; code?: string; errors?: Issue[] };
  return new ServiceProblem(body.detail ?? `The service answered with ${reply.status}.`, {
    status: reply.status,
    code: body.code ?? '',
    issues: body.errors ?? [],
    headers: reply.headers,
  });
}

function pauseOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const go = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go, { signal: ended.signal });
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        ended.abort();
        reject(signal.reason);
      },
      { signal: ended.signal },
    );
  });
}
