import type { SyscallName } from './syscall-numbers.ts';

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
