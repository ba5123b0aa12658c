import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Reads a small file of the kernel's; null if it is not there. */
type ReadText = (path: string) => string | null;

const CGROUPS = '/sys/fs/cgroup';

/**
 * How much memory this process and its children may use together: the machine's, or less if a control group, its own or
 * a parent, sets a limit. (`process.constrainedMemory` reads only its own.)
 */
export function memoryLimitBytes(read: ReadText = readText, machineBytes = totalmem()): number {
  const groups = (read('/proc/self/cgroup') ?? '').split('\n').flatMap((line) => limitFiles(line));
  const limits = groups.map((file) => limitOf(read(file)));
  return Math.min(machineBytes, ...limits);
}

/** Where the limits of a line of /proc/self/cgroup are: `0::/path` of version 2, `4:memory:/path` of version 1. */
function limitFiles(line: string): string[] {
  const [, number, controllers, path] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? [];
  if (path === undefined) return [];
  if (number === '0' && controllers === '') {
    // Besides groups of version 1, those of version 2 are in a separate folder.
    return [CGROUPS, join(CGROUPS, 'unified')].flatMap((root) =>
      withParents(path).flatMap((group) => ['memory.max', 'memory.high'].map((file) => join(root, group, file))),
    );
  }
  if (!controllers!.split(',').includes('memory')) return [];
  return withParents(path).map((group) => join(CGROUPS, 'memory', group, 'memory.limit_in_bytes'));
}

/** `/a/b`, `/a` and `/`: in a container, whose own group is mounted as the root, only the last exists. */
function withParents(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...withParents(dirname(path))];
}

/** `max`, a number that means the same, or null: no limit. */
function limitOf(text: string | null): number {
  const bytes = text === null ? Number.NaN : Number(text.trim());
  return Number.isFinite(bytes) && bytes > 0 ? bytes : Number.POSITIVE_INFINITY;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
