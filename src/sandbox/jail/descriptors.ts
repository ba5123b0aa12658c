import { closeSync, readdirSync } from 'node:fs';
import { duplicate, jailArch, keepFromPrograms, makePipe, redirect, SystemCallError, systemCall } from './libc.ts';

const CLOSE_RANGE_CLOEXEC = 4;
const FIRST_AFTER_STDIO = 3;
const LAST_POSSIBLE = 0xffffffff;

/**
 * Closes everything except stdin, stdout and stderr when the next program is executed. A shell or a service manager may
 * have started the service with open files: a render would inherit them, past Landlock, which checks opening and not
 * open files.
 */
export function closeOthersOnExec(): void {
  // Kernels before 5.11, and containers whose policy does not know the call, need one call per descriptor.
  if (jailArch() === null || !closeRangeOnExec()) closeEachOnExec();
}

function closeRangeOnExec(): boolean {
  try {
    systemCall('close_range', FIRST_AFTER_STDIO, LAST_POSSIBLE, CLOSE_RANGE_CLOEXEC);
    return true;
  } catch (error) {
    if (error instanceof SystemCallError) return false;
    throw error;
  }
}

function closeEachOnExec(): void {
  for (const name of readdirSync(process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd')) {
    if (Number(name) >= FIRST_AFTER_STDIO) keepFromPrograms(Number(name));
  }
}

/** The two ends of a pipe; the caller closes both. */
export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

/**
 * A new pipe that programs inherit only as their stdio.
 * @throws SystemCallError
 */
export function pipe(): Pipe {
  const [readFd, writeFd] = makePipe();
  return { readFd, writeFd };
}

/**
 * A second descriptor for the same file that programs started meanwhile inherit; Node's own descriptors are not
 * inherited.
 */
export function inheritable(fd: number): Disposable {
  const copy = duplicate(fd);
  return { [Symbol.dispose]: () => closeSync(copy) };
}

/**
 * Takes stdout for the protocol alone and returns its new descriptor. Everything else that is written to stdout from
 * now on, also by native libraries, goes to stderr.
 */
export function claimStdout(): number {
  const fd = duplicate(1);
  redirect(2, 1);
  return fd;
}
