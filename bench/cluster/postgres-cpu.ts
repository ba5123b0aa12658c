import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/postgres/postgres-server.ts';

const TICKS_PER_SECOND = 100;

/** What a server has used so far, all of its processes and those that have ended; seconds. */
export function postgresCpuSeconds({ folder }: PostgresServer): number {
  const [server] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    // utime and stime; of the server also cutime and cstime.
    if (pid === server) ticks += sum(fields.slice(11, 15));
    else if (fields[1] === server) ticks += sum(fields.slice(11, 13));
  }
  return ticks / TICKS_PER_SECOND;
}

/** The fields of /proc/PID/stat after the name; empty if the process has just ended. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function sum(texts: readonly string[]): number {
  return texts.reduce((all, text) => all + Number(text), 0);
}
