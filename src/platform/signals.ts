/**
 * Aborts with the first of its sources, and releases them when disposed.
 * Not `AbortSignal.any`: its sources keep it alive, together with everything that its listeners hold, and one of ours
 * lives as long as the service.
 */
export class FirstSignal implements Disposable {
  readonly #sources: readonly AbortSignal[];
  readonly #controller = new AbortController();

  constructor(...sources: readonly AbortSignal[]) {
    this.#sources = sources;
    for (const source of sources) {
      if (source.aborted) this.#controller.abort(source.reason);
      else source.addEventListener('abort', this.#onAbort);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const source of this.#sources) source.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (event: Event): void => {
    this.#controller.abort((event.target as AbortSignal).reason);
  };
}

/** The result of `work`, or the reason of `signal` if it aborts first; the work then continues without a reader. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  return promise;
}

/** Rejects with the first error once all have settled, so that the caller can then dispose what they used. */
export async function allOrFirstFault(work: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(work);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
