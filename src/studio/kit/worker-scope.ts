/** What of a worker's global scope we use: the types of pages, which the studio is checked with, have none of it. */
interface WorkerScope {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
  readonly fonts: FontFaceSet;
}

export const workerScope = globalThis as unknown as WorkerScope;
