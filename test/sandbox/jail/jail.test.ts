import assert from 'node:assert/strict';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BUILT } from '../../../src/platform/program-files.ts';
import { landlockAbi } from '../../../src/sandbox/jail/landlock.ts';
import { jailArch } from '../../../src/sandbox/jail/libc.ts';
import { ENOSYS, EPERM } from '../../../src/sandbox/jail/seccomp.ts';
import { type SyscallName, syscallNumber } from '../../../src/sandbox/jail/syscall-numbers.ts';
import { startTestChild } from '../host/start-test-child.ts';
import { ScratchFolder } from '../scratch-folder.ts';

const EBADF = 9;
const X32 = 0x40000000;

/** [x64, arm64] */
const UNLISTED = {
  getsockopt: [55, 209],
  sendmsg: [46, 211],
  splice: [275, 76],
  inotify_init1: [294, 26],
  timer_create: [222, 107],
  sync: [162, 81],
  getxattr: [191, 8],
} as const;

/** Like an attacker who controls the child: without Node in between. */
test('[H2] raw system calls from inside are refused by the kernel', async (t) => {
  const arch = jailArch();
  if (arch === null) return t.skip('needs Linux on x64 or arm64');
  using folder = new ScratchFolder();
  await using child = await startTestChild(folder);
  if (!child.jail.layers.some(({ name }) => name === 'seccomp')) return t.skip('no seccomp here');
  const call = (name: SyscallName, ...args: number[]) =>
    child.request('system_call', { number: syscallNumber(name, arch)!, args });

  for (const family of [1, 2, 10, 16, 17, 38, 40]) assert.equal(await call('socket', family, 1, 0), EPERM);
  const refused: [SyscallName, ...number[]][] = [
    ['socketpair', 1, 1, 0, 0],
    ['io_uring_setup', 8, 0],
    ['ptrace', 0, 0, 0, 0],
    ['process_vm_readv', process.pid, 0, 0, 0, 0, 0],
    ['pidfd_open', process.pid, 0],
    ['bpf', 0, 0, 0],
    ['userfaultfd', 0],
    ['keyctl', 0, 0, 0, 0, 0],
    ['mount', 0, 0, 0, 0, 0],
    ['unshare', 0],
    ['memfd_create', 0, 0],
    ['setuid', 0],
    ['execve', 0, 0, 0],
    ['execveat', 0, 0, 0, 0, 0],
    // A separate process would outlive what the parent kills.
    ['clone', 17, 0, 0, 0, 0],
    ['kill', process.pid, 0],
    ['kill', -1, 0],
    ['tgkill', process.pid, process.pid, 0],
    ['prlimit64', process.pid, 0, 0, 0],
    ['prctl', 1, 0, 0, 0, 0],
    ['prctl', 4, 0, 0, 0, 0],
    ['fcntl', 0, 8, process.pid],
    ['fcntl', 0, 1024, 0],
    ['ioctl', 0, 0x5412, 0],
  ];
  for (const [name, ...args] of refused) assert.equal(await call(name, ...args), EPERM, `${name} ${args}`);
  assert.equal(await call('clone3', 0, 0), ENOSYS);
  assert.equal(await child.request('system_call', { number: 451, args: [] }), ENOSYS);
  // Known, harmless to our knowledge, and of no use to a render.
  for (const name of [
    'getsockopt',
    'sendmsg',
    'splice',
    'inotify_init1',
    'timer_create',
    'sync',
    'getxattr',
  ] as const) {
    const number: number = UNLISTED[name][arch === 'x64' ? 0 : 1];
    assert.equal(await child.request('system_call', { number, args: [-1, 0, 0, 0, 0, 0] }), ENOSYS, name);
  }
  if (arch === 'x64') assert.equal(await child.request('system_call', { number: X32 | 41, args: [1, 1, 0] }), ENOSYS);
  // What is not refused still reaches the kernel.
  assert.equal(await call('fcntl', 999, 1, 0), EBADF);
});

test("[H3] a data folder among the program's own files cannot be jailed, and the error says so", async (t) => {
  if (landlockAbi() === 0) return t.skip('no Landlock here');
  if (!writable(BUILT)) return t.skip('this user may not write among the program’s files');
  using folder = new ScratchFolder();
  const inside = mkdtempSync(join(BUILT, 'work-'));
  try {
    const started = startTestChild(folder, { mode: 'required', workDir: inside });
    // If it starts after all, the test fails and must not wait for it.
    const closed = started.then((child) => child[Symbol.asyncDispose]());
    await assert.rejects(closed, { code: 'sandbox.incomplete' });
    await using child = await startTestChild(folder, { workDir: inside });
    assert.match(child.jail.missing[0]!.reason, /apart from the program/);
  } finally {
    rmSync(inside, { recursive: true });
  }
});

test('[H2] every thread is jailed', async (t) => {
  using folder = new ScratchFolder();
  await using child = await startTestChild(folder);
  if (!child.jail.layers.some(({ name }) => name === 'landlock')) return t.skip('no Landlock here');
  assert.equal(await child.request('read_in_thread', folder.upload), 'read');
  assert.equal(await child.request('read_in_thread', folder.sibling), 'EACCES');
});

function writable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
