import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SystemCallError, systemCall } from './libc.ts';

/** The files that the parent has prepared for the test; every path exists and is open to the parent itself. */
export interface SelfTestParams {
  /** One of the child's inputs. */
  readonly input: string;
  /** A file beside it that is not an input; the parent has it open on a descriptor that programs inherit. */
  readonly sibling: string;
  /** A folder that is not the child's. */
  readonly outside: string;
  readonly workDir: string;
  /** A file in the folder that is lent to the child. */
  readonly lent: string;
}

/** One thing tried from inside. */
export interface SelfTestRow {
  readonly name: string;
  readonly expected: 'allowed' | 'refused';
  /** Why it did not work out, if it did not: an errno's name or number. */
  readonly outcome: string;
  readonly passed: boolean;
}

const REFUSALS = ['EPERM', 'EACCES', 'errno 1', 'errno 13', 'not open'];

const MAX_DESCRIPTORS = 1024;
const F_SETLEASE = 1024;
const F_RDLCK = 0;

/** Attempts, from inside, the things a render must be able to do and those it must not. */
export async function selfTest({ input, sibling, outside, workDir, lent }: SelfTestParams): Promise<SelfTestRow[]> {
  const made = join(workDir, 'self-test');
  const link = join(workDir, 'self-test-link');
  const stray = join(outside, 'self-test');
  const rows = [
    await allowed('read an input', () => readFileSync(input)),
    await allowed('read a cached chunk', () => readFileSync(lent)),
    await allowed('write to the work folder', () => writeFileSync(made, 'x')),
    await refused("read another export's upload", () => closeSync(openSync(sibling, 'r'))),
    await refused("read another export's upload from a thread", () => openInThread(sibling)),
    await refused('read what the service has open', () => findOpen(sibling)),
    await refused("read the system's files", () => closeSync(openSync('/etc/passwd', 'r'))),
    await refused("read the machine's connections", () => readFileSync('/proc/self/net/tcp')),
    await refused('block readers of an input with a lease', () => takeLease(input)),
    await refused('change a cached chunk', () => closeSync(openSync(lent, 'r+'))),
    await refused('empty a cached chunk', () => closeSync(openSync(lent, constants.O_RDONLY | constants.O_TRUNC))),
    await refused('write outside the work folder', () => writeFileSync(stray, 'x')),
    await refused('link out of the work folder', () => symlinkSync('/etc/passwd', link)),
    await refused('change the mode of a file', () => chmodSync(made, 0o777)),
    await refused('start a process', () => ended(spawn(process.execPath, ['--version'], { stdio: 'ignore' }))),
    // Of a program that does not exist, so that the test survives where this is not refused.
    await refused('execute a program', () => systemCall('execve', Buffer.from('/no/such/program\0'), null, null)),
    await refused('signal another process', () => process.kill(process.ppid, 0)),
    await refused('open a TCP connection', () => connected({ host: '127.0.0.1', port: 9 })),
    await refused('send a UDP packet', sendPacket),
    await refused('reach a local socket', () => connected({ path: join(outside, 'no-such-socket') })),
  ];
  rmSync(made);
  // Files that should have been refused and were not.
  for (const path of [link, stray]) if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path);
  return rows;
}

async function allowed(name: string, attempt: () => unknown): Promise<SelfTestRow> {
  const outcome = await outcomeOf(attempt);
  return { name, expected: 'allowed', outcome, passed: outcome === 'done' };
}

/** Only a refusal by a rule counts: an address without a listener, or a missing file, proves nothing. */
async function refused(name: string, attempt: () => unknown): Promise<SelfTestRow> {
  const outcome = await outcomeOf(attempt);
  return { name, expected: 'refused', outcome, passed: REFUSALS.includes(outcome) };
}

async function outcomeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return 'done';
  } catch (error) {
    if (error instanceof SystemCallError) return `errno ${error.errno}`;
    return (error as NodeJS.ErrnoException).code ?? String(error).slice(0, 100);
  }
}

async function openInThread(path: string): Promise<void> {
  const attempt = `require('node:fs').openSync(${JSON.stringify(path)}, 'r')`;
  await once(new Worker(attempt, { eval: true }), 'exit');
}

/** As a lease on a file does, which its holder must give back before others get to open it. */
function takeLease(path: string): void {
  const fd = openSync(path, 'r');
  try {
    systemCall('fcntl', fd, F_SETLEASE, F_RDLCK);
  } finally {
    closeSync(fd);
  }
}

/** Looks at every possible descriptor: an inherited one keeps its number. */
function findOpen(path: string): void {
  const { dev, ino } = statSync(path);
  for (let fd = 0; fd < MAX_DESCRIPTORS; fd++) {
    const open = statsOf(fd);
    if (open !== null && open.dev === dev && open.ino === ino) return;
  }
  throw Object.assign(new Error('no descriptor leads there'), { code: 'not open' });
}

function statsOf(fd: number): ReturnType<typeof fstatSync> | null {
  try {
    return fstatSync(fd);
  } catch {
    return null;
  }
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  await once(child, 'exit');
}

async function connected(to: { host: string; port: number } | { path: string }): Promise<void> {
  const socket = connect({ ...to } as { path: string });
  try {
    await once(socket, 'connect');
  } finally {
    socket.destroy();
  }
}

async function sendPacket(): Promise<void> {
  const socket = createSocket('udp4');
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error));
  const sent = new Promise<void>((resolve, reject) => {
    socket.send('x', 9, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
  });
  try {
    await Promise.race([sent, failed]);
  } finally {
    failed.catch(() => {});
    sent.catch(() => {});
    socket.close();
  }
}
