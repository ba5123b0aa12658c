/** A child program whose operations misbehave in every way a render could. */
import { once } from 'node:events';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import koffi from 'koffi';
import { ExportError } from '../../../src/errors.ts';
import { serveOperations } from '../../../src/sandbox/channel/child-server.ts';
import type { TestOperations } from './test-program.ts';

const libc = koffi.load(null);
const mmap = libc.func('void *mmap(void *, size_t, int, int, int, int64_t)');
const memcpy = libc.func('void *memcpy(void *, const char *, size_t)');
const [PROT_READ, PROT_WRITE, MAP_SHARED] = [1, 2, 1];
const syscall = libc.func('long syscall(long, ...)');
let changeKept = (): void => {};
const never = new Promise<never>(() => {});

serveOperations<TestOperations>({
  echo: async (value) => value,
  environment: async () => ({ ...process.env }) as Record<string, string>,
  oom_score: async () => Number(readFileSync('/proc/self/oom_score_adj', 'utf8')),
  open_files: async () => {
    const found: string[] = [];
    for (const fd of readdirSync('/proc/self/fd')) {
      try {
        found.push(readlinkSync(`/proc/self/fd/${fd}`));
      } catch {
        // The one that the listing itself was read by.
      }
    }
    return found;
  },
  read: async (path) => readFileSync(path, 'utf8').length,
  write: async ({ path, bytes }) => {
    writeFileSync(path, Buffer.alloc(bytes, 'x'));
    return null;
  },
  write_and_keep: async ({ path, by }) => {
    writeFileSync(path, 'as made');
    const fd = openSync(path, by === 'reading' || by === 'nothing' ? 'r' : 'r+');
    if (by === 'descriptor') changeKept = () => void writeSync(fd, 'changed', 0);
    if (by === 'reading') changeKept = () => writeFileSync(`/proc/self/fd/${fd}`, 'changed', { flag: 'r+' });
    if (by === 'mapping') {
      const address = mmap(null, 7, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      changeKept = () => memcpy(address, 'changed', 7);
    }
    if (by === 'mapping' || by === 'nothing') closeSync(fd);
    return null;
  },
  change_kept: async () => {
    try {
      changeKept();
      return 'done';
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code);
    }
  },
  fill: async ({ folder, removed }) => {
    for (let file = 0; ; file++) {
      const path = join(folder, `${file}`);
      const fd = openSync(path, 'wx');
      if (removed) unlinkSync(path);
      for (let i = 0; i < 8; i++) writeSync(fd, Buffer.alloc(2 ** 20, 'x'));
      if (!removed) closeSync(fd);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  start_threads: async ({ count }) => {
    for (let i = 0; i < count; i++) new Worker('setInterval(() => {}, 1000)', { eval: true });
    return never;
  },
  write_and_hang: async ({ path }, { progress }) => {
    writeFileSync(path, 'half');
    progress({ done: 1, total: 1 });
    return never;
  },
  write_and_stop: async ({ path }, { signal, progress }) => {
    writeFileSync(path, 'half');
    progress({ done: 1, total: 1 });
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  },
  spin: async (_params, { progress }) => {
    progress({ done: 1, total: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    for (;;);
  },
  step: async ({ steps, everyMs, busy }, { progress }) => {
    for (let done = 1; done <= steps; done++) {
      const until = performance.now() + everyMs;
      while (busy === true && performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, busy === true ? 0 : everyMs));
      progress({ done, total: steps });
    }
    return null;
  },
  make_files: async ({ folder, count }) => {
    for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}${'-'.repeat(200)}`), '');
    return never;
  },
  eat: async ({ bytes }) => {
    const held: Buffer[] = [];
    for (let eaten = 0; eaten < bytes; eaten += 2 ** 24) {
      held.push(Buffer.alloc(2 ** 24, 1));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await never;
    return held.length;
  },
  reserve: async ({ bytes }) => {
    try {
      return Buffer.alloc(bytes, 1).length;
    } catch {
      return 0;
    }
  },
  signal_self: async (signal) => {
    process.kill(process.pid, signal);
    return never;
  },
  exit: async (code) => {
    process.stderr.write('last words\n');
    process.exit(code);
  },
  fail: async () => {
    throw new ExportError('unsupported', 'media.unsupported', 'No such media.', {
      path: '/timeline_data/videos/0',
      cause: new Error('library text'),
    });
  },
  break: async () => {
    throw new Error('secret detail');
  },
  warn: async ({ issue, times }, { warn }) => {
    for (let i = 0; i < times; i++) warn(issue);
    return null;
  },
  print: async (text) => {
    // As a native library would: past all of Node's streams.
    writeSync(1, text);
    process.stdout.write(text);
    return null;
  },
  system_call: async ({ number, args }) => {
    const answer = Number(syscall(number, ...args.flatMap((arg) => ['int64_t', arg])));
    return answer < 0 ? koffi.errno() : 0;
  },
  read_in_thread: async (path) => {
    const code = `const { parentPort } = require('node:worker_threads');
      try { require('node:fs').readFileSync(${JSON.stringify(path)}); parentPort.postMessage('read'); }
      catch (error) { parentPort.postMessage(error.code); }`;
    const [answer] = await once(new Worker(code, { eval: true }), 'message');
    return answer;
  },
  late_progress: async (_params, { progress }) => {
    setImmediate(() => progress({ done: 2, total: 2 }));
    return null;
  },
});
