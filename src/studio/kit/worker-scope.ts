/** The part of a worker's global scope that we use. The studio is type-checked with the DOM types, which lack it. */
interface WorkerScope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  readonly fonts: FontFaceSet;
}

export const workerScope = globalThis as unknown as WorkerScope;

/** A rejection that nothing handles becomes an error of the worker, which the page sees (`onerror`). */
export function reportRejections(): void {
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}
