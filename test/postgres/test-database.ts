import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { temporaryParent } from './postgres-server.ts';

/** Written by the keeper once the server takes connections, or has failed to. */
export const MARKER = 'ready.json';

export interface Marker {
  readonly url?: string;
  readonly error?: string;
}

/**
 * The address of an empty database on the PostgreSQL of this test run: the first caller starts it, all processes of the run
 * share it, and it ends with the run, however that ends (postgres-keeper.ts).
 */
export async function testDatabase(): Promise<string> {
  const server = await serverOfTheRun();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  return server.replace('/postgres?', `/${name}?`);
}

async function serverOfTheRun(): Promise<string> {
  // `node --test FILE` without test/run.ts starts a process for the file.
  const alone = process.env.NODE_TEST_CONTEXT === undefined ? process.pid : process.ppid;
  const run = Number(process.env.TEST_RUN_PID ?? alone);
  const folder = join(temporaryParent(), `tiercut-pg-${run}-${startOf(run)}`);
  if (isFirst(folder)) {
    const program = join(import.meta.dirname, 'postgres-keeper.ts');
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    spawn(process.execPath, [program, folder, `${run}`], { detached: true, stdio: 'ignore', env }).unref();
  }
  const { url, error } = await marked(folder);
  if (url === undefined) throw new Error(`no PostgreSQL for the tests: ${error}`);
  return url;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function marked(folder: string): Promise<Marker> {
  const file = join(folder, MARKER);
  const watcher = watch(folder);
  try {
    while (!existsSync(file)) await once(watcher, 'change', { signal: AbortSignal.timeout(60_000) });
  } finally {
    watcher.close();
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Marker;
}

/** Distinguishes a process from a later one with the same number, if the system allows it. */
function startOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;
  } catch {
    return '';
  }
}
