import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { CODE, PROJECT_ROOT } from '../../platform/program-files.ts';
import { type FileRule, landlockAbi, restrictFiles } from './landlock.ts';
import { jailArch, SystemCallError } from './libc.ts';
import { dropCapabilities, forbidNewPrivileges } from './privileges.ts';
import { renderRefusals } from './refusal-rules.ts';
import { limitResources, type ResourceLimits } from './resource-limits.ts';
import type { JailLayerName, JailReport } from './sandbox-mode.ts';
import { installFilter } from './seccomp.ts';
import type { SyscallName } from './syscall-numbers.ts';

/** What one child may use. Paths are absolute; the child cannot open any other path, not even in the same folder. */
export interface JailTerms {
  /** The program that will run inside. */
  readonly entry: string;
  readonly inputs: readonly string[];
  /** The only folder it may write to: flat, plain files. */
  readonly workDir: string;
  /** It may read files that are added here while it runs, but not change them. */
  readonly lentDir?: string | undefined;
  /** Its parent's code, which it may read but not write: one render must not plant code for the next. */
  readonly codeDir: string;
  readonly resources: ResourceLimits;
}

/**
 * Activates every jail layer of this machine for the calling thread and everything it executes. This cannot be undone,
 * and the other threads of the process are not jailed: execute another program at once.
 *
 * A layer that fails is reported, never thrown.
 */
export function enterJail(terms: JailTerms): JailReport {
  const layers: { name: JailLayerName; detail: string }[] = [];
  const missing: { name: JailLayerName; reason: string }[] = [];
  const putUp = (name: JailLayerName, build: () => string): void => {
    try {
      layers.push({ name, detail: build() });
    } catch (error) {
      missing.push({ name, reason: reasonOf(error) });
    }
  };

  putUp('rlimits', () => {
    requireCoveredMachine();
    limitResources(terms.resources);
    return `data ${mebibytes(terms.resources.dataBytes)}, file ${mebibytes(terms.resources.fileBytes)}, no core`;
  });
  putUp('landlock', () => {
    requireCoveredMachine();
    const abi = landlockAbi();
    if (abi === 0) throw new MissingFeature('the kernel has no Landlock, or has it switched off');
    const runtime = runtimeFiles(terms.entry);
    requireApart(terms.workDir, runtime);
    forbidNewPrivileges();
    restrictFiles(
      [
        ...runtime,
        ...[...terms.inputs, terms.lentDir, terms.codeDir]
          .filter((path) => path !== undefined)
          .map((path) => ({ path, grant: 'read' }) as const),
        { path: terms.workDir, grant: 'work' },
      ],
      abi,
    );
    return `ABI ${abi}`;
  });
  putUp('seccomp', () => {
    requireCoveredMachine();
    forbidNewPrivileges();
    dropCapabilities();
    installFilter({ allow: ALLOWED_CALLS, refuse: renderRefusals(process.pid) });
    return `${ALLOWED_CALLS.length} calls by name; no sockets, processes, signals or links; sealed against exec at start`;
  });
  return { layers, missing };
}

/** A machine that lacks something, in words for its operator. */
class MissingFeature extends Error {}

function requireCoveredMachine(): void {
  if (jailArch() === null) {
    throw new MissingFeature(`needs Linux on x64 or arm64; this is ${process.platform} on ${process.arch}`);
  }
}

/**
 * Uploads are near work folders: if these were among the program's own files, every render could read those of every
 * other.
 */
function requireApart(workDir: string, runtime: readonly FileRule[]): void {
  const folder = realpathSync(workDir);
  const around = runtime.find(({ path }) => existsSync(path) && folder.startsWith(`${realpathSync(path)}/`));
  if (around === undefined) return;
  throw new MissingFeature(`the data folder must lie apart from the program's own files in ${around.path}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof MissingFeature) return error.message;
  if (error instanceof SystemCallError) return `the kernel or a container's policy refused it: ${error.message}`;
  return messageOf(error);
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

const SYSTEM_LIBRARIES = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib', '/etc/ld.so.cache'];

/**
 * Files in which Node and C libraries look up the process and the machine. Not all of /proc/self: it includes the
 * network.
 */
const MACHINE_FACTS = [
  ...['cgroup', 'fd', 'maps', 'oom_score_adj', 'stat', 'statm', 'status'].map((name) => `/proc/self/${name}`),
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/sys/devices/system/cpu',
  '/dev/urandom',
];

/**
 * The files of the child's program besides its inputs: Node, system libraries, our code and its dependencies (including
 * fonts). Not the system's fonts: a render must not depend on the machine. (R14, R18)
 */
function runtimeFiles(entry: string): FileRule[] {
  const interpreter = elfInterpreter(process.execPath);
  return [
    { path: process.execPath, grant: 'execute' },
    ...(interpreter === null ? [] : [{ path: interpreter, grant: 'execute' } as const]),
    ...[...SYSTEM_LIBRARIES, ...loadedLibraries(), ...MACHINE_FACTS].map((path) => ({ path, grant: 'read' }) as const),
    ...[CODE, join(PROJECT_ROOT, 'package.json'), entry, ...moduleFolders()].map(
      (path) => ({ path, grant: 'read' }) as const,
    ),
    { path: '/dev/null', grant: 'write' },
  ];
}

/** Where Node looks for packages from here. */
function moduleFolders(): string[] {
  const folders: string[] = [];
  for (let folder = PROJECT_ROOT; ; folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules'));
    if (dirname(folder) === folder) return folders;
  }
}

/** Libraries this process has mapped: systems that keep theirs elsewhere work too. */
function loadedLibraries(): string[] {
  const mapped = readFileSync('/proc/self/maps', 'utf8').matchAll(/ (\/\S+\.so[\d.]*)$/gm);
  return [...new Set([...mapped].map((match) => match[1]!))];
}

/** The dynamic loader an ELF program names, which the kernel opens for execution beside it; null for a static one. */
function elfInterpreter(program: string): string | null {
  const fd = openSync(program, 'r');
  try {
    const header = readAt(fd, 0, 64);
    const tableOffset = Number(header.readBigUInt64LE(32));
    const entryBytes = header.readUInt16LE(54);
    const entries = readAt(fd, tableOffset, entryBytes * header.readUInt16LE(56));
    const PT_INTERP = 3;
    for (let at = 0; at < entries.length; at += entryBytes) {
      if (entries.readUInt32LE(at) !== PT_INTERP) continue;
      const name = readAt(fd, Number(entries.readBigUInt64LE(at + 8)), Number(entries.readBigUInt64LE(at + 32)));
      return name.toString('utf8', 0, name.length - 1);
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, position: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(fd, buffer, 0, bytes, position);
  return buffer;
}

/**
 * The system calls a render needs: those seen in a trace of every test that starts a child (on arm64), their older and
 * newer forms, which other C libraries and x64 use, and the ways of reading and writing that a library may choose
 * between. Those with their own rule (refusal-rules.ts), such as `clone` and `openat`, are allowed by it.
 *
 * Any other call does not exist in the jail (ENOSYS): C libraries and runtimes handle that and do without, or fail with
 * a clear error.
 */
export const ALLOWED_CALLS: readonly SyscallName[] = [
  // Threads
  ...(['futex', 'set_robust_list', 'get_robust_list', 'set_tid_address', 'rseq', 'gettid', 'getcpu'] as const),
  ...(['sched_yield', 'sched_getaffinity', 'sched_getparam', 'sched_getscheduler'] as const),
  ...(['sched_get_priority_max', 'sched_get_priority_min', 'exit', 'exit_group', 'arch_prctl'] as const),
  // Memory
  ...(['mmap', 'munmap', 'mremap', 'mprotect', 'madvise', 'brk', 'msync', 'membarrier'] as const),
  ...(['pkey_alloc', 'pkey_free', 'pkey_mprotect'] as const),
  // Files: Landlock decides which ones
  ...(['read', 'write', 'readv', 'writev', 'pread64', 'pwrite64', 'preadv', 'pwritev', 'preadv2'] as const),
  ...(['pwritev2', 'lseek', 'close', 'stat', 'fstat', 'lstat', 'newfstatat', 'statx'] as const),
  ...(['access', 'faccessat', 'faccessat2', 'readlink', 'readlinkat', 'getcwd', 'getdents'] as const),
  ...(['getdents64', 'mkdir', 'mkdirat', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat'] as const),
  ...(['ftruncate', 'fallocate', 'fsync', 'fdatasync', 'fadvise64', 'statfs', 'fstatfs'] as const),
  // Descriptors, and waiting for them
  ...(['dup', 'dup2', 'dup3', 'pipe', 'pipe2', 'poll', 'ppoll', 'select', 'pselect6', 'epoll_create'] as const),
  ...(['epoll_create1', 'epoll_ctl', 'epoll_wait', 'epoll_pwait', 'epoll_pwait2'] as const),
  ...(['eventfd', 'eventfd2'] as const),
  // Time
  ...(['clock_gettime', 'clock_getres', 'clock_nanosleep', 'nanosleep', 'gettimeofday', 'time'] as const),
  // Signals to itself
  ...(['rt_sigaction', 'rt_sigprocmask', 'rt_sigreturn', 'sigaltstack', 'restart_syscall'] as const),
  // Properties of the process and the machine
  ...(['getpid', 'getppid', 'getuid', 'geteuid', 'getgid', 'getegid', 'getresuid', 'getresgid'] as const),
  ...(['capget', 'getrlimit', 'setrlimit', 'getrusage', 'uname', 'sysinfo', 'getrandom'] as const),
  // Until the seal
  ...(['execve', 'execveat', 'prctl', 'seccomp', 'close_range'] as const),
];
