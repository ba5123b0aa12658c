/**
 * Keeps the PostgreSQL of one test run: `postgres-keeper.ts FOLDER PID`. A separate process, because no file of the run
 * outlives all others, and because the run may be killed.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from './postgres-server.ts';
import { MARKER, type Marker } from './test-database.ts';

/** The system notifies only a parent of a process's end, so that others have to poll. */
const LOOK_EVERY_MS = 200;

const [folder, pid] = [process.argv[2]!, Number(process.argv[3])];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the run decides

let server: PostgresServer | undefined;
try {
  server = await PostgresServer.create(folder);
  mark({ url: server.url('postgres') });
} catch (error) {
  mark({ error: String(error) });
}
while (isRunning(pid)) await sleep(LOOK_EVERY_MS);
await server?.[Symbol.asyncDispose]();
rmSync(folder, { recursive: true, force: true });

/** Atomically, so that no reader gets half of it. */
function mark(marker: Marker): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${MARKER}.new`), JSON.stringify(marker));
  renameSync(join(folder, `${MARKER}.new`), join(folder, MARKER));
}

function isRunning(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
