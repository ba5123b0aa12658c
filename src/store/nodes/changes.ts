/** Notifies followers of an export, in any process, of changes. Passes test/store/changes-suite.ts. */
export interface Changes {
  /** What was just recorded of the export has changed it. Not to be waited for: a hint that may be lost. */
  notify(id: string): void;
  /**
   * Starts listening now; `next` resolves at the first change from now on, or at the next poll if the notice was lost.
   * Listen before you look, so that nothing that happens in between is missed.
   */
  listen(id: string): { readonly next: Promise<void>; stop(): void };
}
