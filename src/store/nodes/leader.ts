/** Elects one process for the work that must run in one process at a time. */
export interface Leader {
  /**
   * Runs `work` while this process is the leader, until `signal` aborts. The signal of `work` aborts when another
   * process may lead, so its steps must tolerate running twice. A failure is reported, and the work starts again.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** With one process, it is the leader. */
export const SOLE_LEADER: Leader = { run: (_name, work, signal) => work(signal) };
