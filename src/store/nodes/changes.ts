/** Notifies followers of an export, in any process, of changes. Passes test/store/changes-suite.ts. */
export interface Changes {
  /** Announces a recorded change. Returns at once; the notice is a hint and may be lost. */
  notify(id: string): void;
  /**
   * Starts listening now. `next` resolves at the first change, or at the next poll if the notice was lost. Listen
   * before you read, so that no change in between is missed.
   */
  listen(id: string): { readonly next: Promise<void>; stop(): void };
}
