/** Sees to it that what one process has to do for all is done by one at a time. */
export interface Leader {
  /**
   * Runs `work` as long as this process is the one, until `signal` aborts. The signal that `work` is given aborts when another
   * may be the one: whatever it was at must bear being done twice. A failure is reported, and it starts again.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** Where there is one process, it is the one. */
export const SOLE_LEADER: Leader = { run: (_name, work, signal) => work(signal) };
