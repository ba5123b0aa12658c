import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** What a process takes: resident memory, now and at its highest, and threads. */
interface ProcessLoad {
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  /** 0 where it cannot be told. */
  readonly threads: number;
}

const run = promisify(execFile);

/** How much a process takes, or null where it is gone or cannot be asked. */
export async function processLoad(pid: number): Promise<ProcessLoad | null> {
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    // It ended between two looks: its exit will be told elsewhere.
    return null;
  }
}

async function fromProc(pid: number): Promise<ProcessLoad | null> {
  // `status` counts in kB; `statm` would count in pages, whose size differs between machines.
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  const threads = Number(/^Threads:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
  if (rss === undefined || peak === undefined) return null;
  return { rssBytes: +rss * 1024, peakRssBytes: +peak * 1024, threads };
}

async function fromPs(pid: number): Promise<ProcessLoad | null> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  const rssBytes = Number(stdout.trim()) * 1024;
  return Number.isFinite(rssBytes) ? { rssBytes, peakRssBytes: rssBytes, threads: 0 } : null;
}
