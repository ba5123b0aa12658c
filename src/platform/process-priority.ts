import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The kernel limits how often ordinary users may change a session's share. */
const RETRY_AFTER_MS = 150;
const MAX_TRIES = 5;

/** The niceness of work, so that it does not delay the service's responses. */
export const NICENESS = {
  /** A user waits for the picture. */
  frame: 5,
  /** A request waits to be accepted. */
  probe: 5,
  plan: 5,
  render: 10,
  /** No client waits for it. */
  draft: 19,
} as const;

/**
 * Lowers the priority of a process that has just started, and of all that it starts or executes. If the system does not
 * allow it, only response times suffer.
 */
export function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
  if (process.platform === 'linux') lowerSessionPriority(pid, niceness, MAX_TRIES);
}

/**
 * Outside of containers, Linux shares processors among sessions, and niceness counts only within a session. A child has
 * its own session, so that signals of a terminal do not reach it.
 */
function lowerSessionPriority(pid: number, niceness: number, triesLeft: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || triesLeft === 1) return;
    setTimeout(lowerSessionPriority, RETRY_AFTER_MS, pid, niceness, triesLeft - 1).unref();
  }
}

/**
 * Lowers the priority of the calling thread only; Linux alone supports this. Under `nice` the priority may already be
 * lower.
 */
export function lowerOwnPriority(niceness: number): void {
  if (process.platform === 'linux') setPriority(0, Math.max(niceness, getPriority(0)));
}
