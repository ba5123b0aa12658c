import { readFileSync, writeFileSync } from 'node:fs';
import { SystemCallError, systemCall } from './libc.ts';

const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const SIGKILL = 9;
const EINVAL = 22;

const CAPABILITY_VERSION_3 = 0x20080522;
/** Lets root read files of other users; Landlock decides which files it may open. */
const CAP_DAC_READ_SEARCH = 2;
const KEPT_CAPABILITIES = 1 << CAP_DAC_READ_SEARCH;

/** No program started from here on can gain rights (set-user-ID, file capabilities). Landlock and seccomp need it. */
export function forbidNewPrivileges(): void {
  systemCall('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/**
 * The kernel kills this process when its parent dies, busy or not. Survives execve.
 *
 * @returns false if the parent, `parentPid`, was gone before the call took effect.
 */
export function dieWithParent(parentPid: number): boolean {
  systemCall('prctl', PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  return process.ppid === parentPid;
}

/**
 * When the machine runs out of memory, the kernel ends this process before any other: a render can be done again, the
 * service and its neighbours cannot. Survives execve.
 */
export function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // A container without /proc, or with one that cannot be written to: the kernel then chooses by size.
  }
}

/**
 * Drops the capabilities of root: it can no longer write files it does not own, change owners, mount or trace. Ordinary
 * users have none to drop. Needs no_new_privs, or the next execve would restore them.
 */
export function dropCapabilities(): void {
  const held = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`);
  if (held === 0n) return;
  emptyBoundingSet();
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CAPABILITY_VERSION_3, 0);
  // Two sets of effective, permitted and inheritable; only the low set's first two words keep anything.
  const sets = Buffer.alloc(24);
  const kept = Number(held & BigInt(KEPT_CAPABILITIES));
  sets.writeUInt32LE(kept, 0);
  sets.writeUInt32LE(kept, 4);
  systemCall('capset', header, sets);
}

function emptyBoundingSet(): void {
  for (let capability = 0; capability < 64; capability++) {
    if ((KEPT_CAPABILITIES >> capability) & 1 && capability < 32) continue;
    try {
      systemCall('prctl', PR_CAPBSET_DROP, capability, 0, 0, 0);
    } catch (error) {
      if (!(error instanceof SystemCallError)) throw error;
      // Past the kernel's last capability; or, in a container, no right to lower the set, which capset makes up for.
      if (error.errno === EINVAL) return;
    }
  }
}
