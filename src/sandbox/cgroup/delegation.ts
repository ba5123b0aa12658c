import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { jailArch, systemCall } from '../jail/libc.ts';

/** How systemd marks a group that it delegates to its processes (`Delegate=yes`). */
const MARKS = ['user.delegate', 'trusted.delegate'];

/**
 * Whether a group is delegated to this process. Root can write to any group, so for root only systemd's mark counts.
 * For an ordinary user, the group must belong to that user.
 */
export function isDelegated(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    accessSync(join(folder, 'cgroup.procs'), constants.W_OK);
    const user = process.getuid?.() ?? 0;
    return user === 0 ? MARKS.some((mark) => attribute(folder, mark) === '1') : statSync(folder).uid === user;
  } catch {
    return false;
  }
}

/** An extended attribute of a file; null if it has none with that name. */
function attribute(file: string, name: string): string | null {
  if (jailArch() === null) return null;
  const value = Buffer.alloc(16);
  try {
    const bytes = systemCall('getxattr', Buffer.from(`${file}\0`), Buffer.from(`${name}\0`), value, value.length);
    return value.toString('utf8', 0, bytes);
  } catch {
    return null;
  }
}
