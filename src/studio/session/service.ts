import { type Retry, TiercutClient, TiercutError } from '../../../packages/client/src/client.ts';
import * as texts from '../texts/en/page.ts';
import { hasService, keyWanted, serviceGone } from './service-state.ts';

let keyCame: (() => void)[] = [];
const PAUSES_MS = [500, 1000, 2000, 4000, 8000];
const LONGEST_PAUSE_MS = 30_000;

/**
 * Retries without limit. If the service does not respond or asks for a retry, the client retries after a pause, or as soon as the
 * browser is online. If the service requires a key, it retries once a key was entered. So callers continue where they stopped.
 */
const untilItAnswers: Retry = async ({ status, code, isPassing, retryAfterSeconds }, attempt, signal) => {
  if (!hasService) return false;
  if (status === 401) {
    await waitForKey(signal);
    return true;
  }
  if (!isPassing) return false;
  if (code === 'client.unreachable') serviceGone.value = true;
  const usualMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)]!;
  await pauseOrOnline(
    retryAfterSeconds === null ? usualMs : Math.min(LONGEST_PAUSE_MS, retryAfterSeconds * 1000),
    signal,
  );
  return true;
};

/** Requests of the page. A static page sends none. */
const ask: typeof fetch = (input, init) => {
  if (!hasService) return Promise.reject(new TiercutError('client.no_service', texts.noService));
  return fetch(input, { credentials: 'same-origin', cache: 'no-store', ...init });
};

/** The service that served this page. */
export const service = new TiercutClient({
  url: location.origin,
  retry: untilItAnswers,
  fetch: async (input, init) => {
    // A deletion is sent even if the page closes meanwhile.
    const keepalive = init?.method === 'DELETE';
    const reply = await ask(input, { keepalive, ...init });
    serviceGone.value = false;
    return reply;
  },
});

/** For optional requests: it never asks for a key and does not wait for a service that is gone. */
export const quietService = new TiercutClient({
  url: location.origin,
  retry: async () => false,
  fetch: ask,
});

/** Opens a session with a key. @returns the error message; null if it succeeds and waiting requests continue. (C51) */
export async function giveKey(key: string): Promise<string | null> {
  try {
    await service.openSession(key);
  } catch (error) {
    if (!(error instanceof TiercutError)) throw error;
    if (error.status === 0) return texts.serviceGone;
    return error.status === 401 ? texts.keyUnknown : error.message;
  }
  keyWanted.value = false;
  for (const go of keyCame) go();
  keyCame = [];
  return null;
}

function waitForKey(signal: AbortSignal | undefined): Promise<void> {
  keyWanted.value = true;
  return new Promise((resolve, reject) => {
    keyCame.push(resolve);
    signal?.addEventListener('abort', () => {
      keyWanted.value = false;
      reject(signal.reason);
    });
  });
}

function pauseOrOnline(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const go = () => {
      clearTimeout(timer);
      ended.abort();
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go, { signal: ended.signal });
    signal?.addEventListener(
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

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file that the service has so far. */
  readonly onProgress?: (bytes: number) => void;
  /** What the service has, if it was asked about many files at once (`service.known`). */
  readonly known?: Awaited<ReturnType<typeof service.known>>;
}

/** Small enough to show progress and to lose little on a broken connection, large enough for throughput. */
const PART_BYTES = 4 << 20;

const underWay = new Map<string, Promise<unknown>>();

/**
 * Makes sure that the service has a file: sends it unless the service has it already. Each file is uploaded once, however many callers
 * need it. (C38)
 *
 * @throws TiercutError, or the signal's reason.
 */
export async function uploadMedia(
  sha256: string,
  file: Blob,
  { signal, onProgress, known }: UploadOptions,
): Promise<void> {
  // The service keeps a file for hours after its last use, but it may be gone. The check is cheap.
  const there = known?.get(sha256) ?? (await service.known([sha256], { signal })).get(sha256)!;
  if (!there.stored) {
    const { received } = there;
    const send = () =>
      service.upload(file, {
        sha256,
        signal,
        received,
        partBytes: PART_BYTES,
        onProgress: ({ done }) => onProgress?.(done),
      });
    const running = underWay.get(sha256) ?? send().finally(() => underWay.delete(sha256));
    underWay.set(sha256, running);
    await running;
  }
  onProgress?.(file.size);
}
