import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** The load of a process: resident memory, now and at its highest, threads, and processor time so far. */
interface ProcessLoad {
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /** 0 if unknown. */
  readonly threads: number;
  /** Of all its threads together; null if unknown. */
  readonly cpuMs: number | null;
}

/** Linux counts processor time in /proc in hundredths of a second, on every machine. (USER_HZ) */
const MS_PER_TICK = 10;

const run = promisify(execFile);

/** The load of a process, or null if it is gone or cannot be read. */
export async function processLoad(pid: number): Promise<ProcessLoad | null> {
  try {
    return process.platform === 'linux' ? fromProc(pid) : await fromPs(pid);
  } catch {
    // It ended between two samples; its exit is reported elsewhere.
    return null;
  }
}

/** Read at once, not by the thread pool: these files never touch a disk, and a busy pool must not delay the watchdog. */
function fromProc(pid: number): ProcessLoad | null {
  // `status` counts in kB; `statm` would count in pages, whose size depends on the machine.
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  const threads = Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  if (rss === undefined || peak === undefined) return null;
  // The name in parentheses may contain anything, spaces and parentheses too; utime and stime are fields 14 and 15.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  return { rssBytes: +rss * 1024, peakRssBytes: +peak * 1024, threads, cpuMs };
}

async function fromPs(pid: number): Promise<ProcessLoad | null> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  const rssBytes = Number(stdout.trim()) * 1024;
  return Number.isFinite(rssBytes) ? { rssBytes, peakRssBytes: rssBytes, threads: 0, cpuMs: null } : null;
}
