import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOWED_CALLS } from '../../../src/sandbox/jail/jail.ts';
import { renderRefusals, SEAL_REFUSALS } from '../../../src/sandbox/jail/refusal-rules.ts';
import { ENOSYS, EPERM, filterProgram } from '../../../src/sandbox/jail/seccomp.ts';
import {
  type JailArch,
  SYSCALL_NUMBERS,
  type SyscallName,
  syscallNumber,
} from '../../../src/sandbox/jail/syscall-numbers.ts';

const PID = 4321;
const ARCHES = ['x64', 'arm64'] as const;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const CLONE_THREAD = 0x10000;

/** Runs a filter as the kernel does; arguments are given by their low halves. */
function verdict(program: Uint8Array, audit: number, number: number, args: readonly number[] = []): number {
  const view = new DataView(program.buffer, program.byteOffset, program.length);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit, true);
  for (const [i, arg] of args.entries()) data.setUint32(16 + 8 * i, arg, true);
  let accumulator = 0;
  for (let at = 0; ; at++) {
    assert.ok(at * 8 < program.length, 'the program runs off its end');
    const code = view.getUint16(at * 8, true);
    const value = view.getUint32(at * 8 + 4, true);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.getUint32(value, true);
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else {
      const jumps: Record<number, boolean> = {
        21: accumulator === value,
        37: accumulator > value,
        69: (accumulator & value) !== 0,
      };
      assert.ok(code in jumps, `instruction ${code}`);
      at += view.getUint8(at * 8 + (jumps[code] ? 2 : 3));
    }
  }
}

function errno(code: number): number {
  return 0x00050000 | code;
}

for (const arch of ARCHES) {
  const program = filterProgram({ allow: ALLOWED_CALLS, refuse: renderRefusals(PID) }, arch);
  const ask = (call: SyscallName, ...args: number[]) => verdict(program, AUDIT[arch], syscallNumber(call, arch)!, args);

  test(`${arch}: [H2] sockets, rings, tracing, mounts, keys and links are refused`, () => {
    const calls = ['socket', 'socketpair', 'io_uring_setup', 'ptrace', 'process_vm_writev', 'keyctl', 'bpf'] as const;
    const more = ['userfaultfd', 'mount', 'kexec_load', 'unshare', 'symlinkat', 'fchmodat', 'memfd_create'] as const;
    for (const call of [...calls, ...more]) assert.equal(ask(call), errno(EPERM), call);
  });

  test(`${arch}: [H2] needed system calls are allowed; an unlisted call returns ENOSYS and kills nothing`, () => {
    for (const call of ALLOWED_CALLS) {
      if (syscallNumber(call, arch) !== null) assert.equal(ask(call), ALLOW, call);
    }
    const listed = new Set(Object.values(SYSCALL_NUMBERS).map((numbers) => numbers[arch === 'x64' ? 0 : 1]));
    for (let number = 0; number < 700; number++) {
      if (!listed.has(number as never)) assert.equal(verdict(program, AUDIT[arch], number), errno(ENOSYS), `${number}`);
    }
    for (const call of ['landlock_create_ruleset', 'landlock_add_rule', 'landlock_restrict_self'] as const) {
      assert.equal(ask(call), errno(ENOSYS), call);
    }
  });

  test(`${arch}: [H2] threads but no processes`, () => {
    assert.equal(ask('clone', 0x3d0f00), ALLOW);
    assert.equal(ask('clone', 0x3d0f00 & ~CLONE_THREAD), errno(EPERM));
    assert.equal(ask('clone3'), errno(ENOSYS));
  });

  test(`${arch}: [H2, H6] only a process with write access can truncate a file`, () => {
    const [read, write, both, neither, empty, create] = [0, 1, 2, 3, 0x200, 0x40];
    const openings: [SyscallName, (flags: number) => number][] = [['openat', (flags) => ask('openat', 0, 0, flags)]];
    if (arch === 'x64') openings.push(['open', (flags) => ask('open', 0, flags)]);
    for (const [call, open] of openings) {
      for (const flags of [read, write, both, write | empty, both | empty, write | create | empty]) {
        assert.equal(open(flags), ALLOW, `${call} ${flags}`);
      }
      for (const flags of [read | empty, neither | empty, read | empty | create]) {
        assert.equal(open(flags), errno(EPERM), `${call} ${flags}`);
      }
    }
  });

  test(`${arch}: [H2] signals and limits for itself alone`, () => {
    for (const call of ['kill', 'tgkill', 'rt_sigqueueinfo', 'rt_tgsigqueueinfo', 'prlimit64'] as const) {
      assert.equal(ask(call, PID), ALLOW, call);
      for (const other of [1, PID + 1, 0xffffffff]) assert.equal(ask(call, other), errno(EPERM), call);
    }
    assert.equal(ask('prlimit64', 0), ALLOW);
    assert.equal(ask('kill', 0), errno(EPERM));
  });

  test(`${arch}: [H2] of fcntl and ioctl only what runtimes need`, () => {
    // F_SETFL and FIONBIO; F_SETOWN, F_SETLEASE, F_NOTIFY and TIOCSTI.
    assert.equal(ask('fcntl', 3, 4), ALLOW);
    assert.equal(ask('ioctl', 3, 0x5421), ALLOW);
    for (const command of [8, 1024, 1026]) assert.equal(ask('fcntl', 3, command), errno(EPERM), `${command}`);
    assert.equal(ask('ioctl', 3, 0x5412), errno(EPERM));
  });

  test(`${arch}: [H2] system calls of another architecture end the process, calls not yet reviewed do not exist`, () => {
    const other = arch === 'x64' ? AUDIT.arm64 : AUDIT.x64;
    assert.equal(verdict(program, other, 0), KILL);
    assert.equal(verdict(program, 0x40000003, 11), KILL);
    assert.equal(verdict(program, AUDIT[arch], 451), errno(ENOSYS));
    // x32: the same calls under numbers with bit 30 set.
    assert.equal(verdict(program, AUDIT[arch], 0x40000000 | 41), errno(ENOSYS));
  });

  test(`${arch}: [H2] execve works until the seal`, () => {
    const sealed = filterProgram({ refuse: SEAL_REFUSALS }, arch);
    for (const call of ['execve', 'execveat'] as const) {
      assert.equal(ask(call), ALLOW);
      assert.equal(verdict(sealed, AUDIT[arch], syscallNumber(call, arch)!), errno(EPERM));
    }
    const prctl = syscallNumber('prctl', arch)!;
    assert.equal(verdict(sealed, AUDIT[arch], prctl, [1]), errno(EPERM));
    assert.equal(verdict(sealed, AUDIT[arch], prctl, [15]), ALLOW);
  });
}

test('no call has two rules, and no number has two names', () => {
  const calls = [...ALLOWED_CALLS, ...renderRefusals(PID).map(({ call }) => call)];
  assert.equal(new Set(calls).size, calls.length);
  for (const arch of ARCHES) {
    const numbers = (Object.keys(SYSCALL_NUMBERS) as SyscallName[])
      .map((name) => syscallNumber(name, arch as JailArch))
      .filter((number) => number !== null);
    assert.equal(new Set(numbers).size, numbers.length, arch);
  }
});
