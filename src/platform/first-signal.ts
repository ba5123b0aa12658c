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
