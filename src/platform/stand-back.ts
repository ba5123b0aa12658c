import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The kernel takes changes of a session's share from ordinary users only so often. */
const AGAIN_AFTER_MS = 150;
const MOST_TRIES = 5;

/** How far work stands back for the service itself, which answers in milliseconds what work would keep waiting. */
export const NICENESS = {
  /** Someone looks at an empty place meanwhile. */
  frame: 5,
  /** A request waits to be accepted. */
  probe: 5,
  plan: 5,
  render: 10,
  /** Nobody waits for it. */
  draft: 19,
} as const;

/**
 * Lets a process that has just been started stand back: whatever else has something to do goes first. All that it starts or
 * executes from then on does as well. Where the system does not allow it, nothing is lost but promptness.
 */
export function standBack(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
  if (process.platform === 'linux') letSessionStandBack(pid, niceness, MOST_TRIES);
}

/**
 * Outside of containers, Linux shares processors among sessions, and a process's niceness counts only within its own; a
 * child has one of its own, lest a terminal's signals reach it.
 */
function letSessionStandBack(pid: number, niceness: number, triesLeft: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || triesLeft === 1) return;
    setTimeout(letSessionStandBack, AGAIN_AFTER_MS, pid, niceness, triesLeft - 1).unref();
  }
}

/** Lets the calling thread stand back, and no other of its process; Linux alone can. Under `nice` it may stand back further already. */
export function standBackHere(niceness: number): void {
  if (process.platform === 'linux') setPriority(0, Math.max(niceness, getPriority(0)));
}
