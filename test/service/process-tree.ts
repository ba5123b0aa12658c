import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

interface Stat {
  readonly state: string;
  readonly parent: number;
  /** Its own processor time and that of its reaped children, in ticks of 1/100 s. */
  readonly ticks: number;
}

/** Every process below another one, as Linux reports it; none elsewhere. */
export function descendantsOf(pid: number): number[] {
  const all = processes();
  const found: number[] = [];
  for (const parents = [pid]; parents.length > 0; ) {
    const parent = parents.pop();
    for (const [child, stat] of all) {
      if (stat.parent !== parent) continue;
      found.push(child);
      parents.push(child);
    }
  }
  return found;
}

/** Whether a process runs. An unreaped zombie has ended. */
export function isRunning(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X';
}

/** Processor time a process and all its children, those that have ended included, have used so far. */
export function cpuSeconds(pid: number): number {
  const all = [pid, ...descendantsOf(pid)].map((one) => readStat(one)?.ticks ?? 0);
  return all.reduce((sum, ticks) => sum + ticks, 0) / 100;
}

/** Memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** How many files, sockets and pipes a process has open. */
export function openHandles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The files a process has open; what its connections are is up to its clients. */
export function openFiles(pid: number): string[] {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  return targets.filter((target) => target?.startsWith('/') === true) as string[];
}

/** null where it is not there any more. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function processes(): Map<number, Stat> {
  if (process.platform !== 'linux') return new Map();
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), readStat(Number(name))] as const);
  return new Map(found.filter((entry): entry is readonly [number, Stat] => entry[1] !== null));
}

/** null if there is no such process (any more). */
function readStat(pid: number): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { state: fields[0]!, parent: Number(fields[1]), ticks };
}
