import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Resident memory of a process, now and at its highest. */
export interface ProcessMemory {
  readonly rssBytes: number;
  readonly peakRssBytes: number;
}

const run = promisify(execFile);

/** How much memory a process holds, or null where it is gone or cannot be asked. */
export async function processMemory(pid: number): Promise<ProcessMemory | null> {
  try {
    return process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  } catch {
    // It ended between two looks: its exit will be told elsewhere.
    return null;
  }
}

async function fromProc(pid: number): Promise<ProcessMemory | null> {
  // `status` counts in kB; `statm` would count in pages, whose size differs between machines.
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return rss === undefined || peak === undefined ? null : { rssBytes: +rss * 1024, peakRssBytes: +peak * 1024 };
}

async function fromPs(pid: number): Promise<ProcessMemory | null> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  const rssBytes = Number(stdout.trim()) * 1024;
  return Number.isFinite(rssBytes) ? { rssBytes, peakRssBytes: rssBytes } : null;
}
