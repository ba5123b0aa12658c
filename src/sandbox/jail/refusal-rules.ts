import { ENOSYS, EPERM, type RefusalRule } from './seccomp.ts';
import type { SyscallName } from './syscall-numbers.ts';

const CLONE_THREAD = 0x10000;
const O_TRUNC = 0x200;
const ACCESS_MODE = 3;
/** F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. */
const FCNTL_COMMANDS = [0, 1, 2, 3, 4, 1030];
/** TCGETS, TCGETS2 and TIOCGWINSZ (is it a terminal?), FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. */
const IOCTL_REQUESTS = [0x5401, 0x802c542a, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];
const PR_SET_PDEATHSIG = 1;
const PR_SET_DUMPABLE = 4;

const NEVER: readonly SyscallName[] = [
  // The child's stdio are pipes.
  ...(['socket', 'socketpair', 'bind', 'connect', 'listen', 'accept', 'accept4'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp', 'perf_event_open'] as const),
  ...(['pidfd_open', 'pidfd_getfd', 'pidfd_send_signal', 'process_madvise', 'process_mrelease'] as const),
  ...(['sched_setaffinity', 'sched_setparam', 'sched_setscheduler', 'sched_setattr'] as const),
  ...(['setpriority', 'ioprio_set', 'migrate_pages', 'move_pages'] as const),
  ...(['fork', 'vfork', 'unshare', 'setns'] as const),
  ...(['bpf', 'userfaultfd', 'keyctl', 'add_key', 'request_key', 'personality', 'modify_ldt'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load', 'reboot'] as const),
  ...(['swapon', 'swapoff', 'acct', 'quotactl', 'quotactl_fd', 'syslog', 'lookup_dcookie', 'vhangup'] as const),
  ...(['settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex', 'sethostname', 'setdomainname'] as const),
  ...(['iopl', 'ioperm'] as const),
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'open_tree', 'fsopen', 'fsconfig'] as const),
  ...(['fsmount', 'fspick', 'mount_setattr', 'name_to_handle_at', 'open_by_handle_at', 'fanotify_init'] as const),
  ...(['setuid', 'setgid', 'setreuid', 'setregid', 'setresuid', 'setresgid', 'setfsuid', 'setfsgid'] as const),
  ...(['setgroups', 'capset'] as const),
  // Landlock checks opening, making and removing, but neither attributes nor, before its third ABI, truncation.
  ...(['chmod', 'fchmod', 'fchmodat', 'chown', 'fchown', 'lchown', 'fchownat', 'truncate'] as const),
  ...(['setxattr', 'lsetxattr', 'fsetxattr', 'removexattr', 'lremovexattr', 'fremovexattr'] as const),
  ...(['utime', 'utimes', 'utimensat', 'futimesat'] as const),
  // The parent opens the files that the child leaves: they must be files, not links to outside.
  ...(['symlink', 'symlinkat', 'link', 'linkat', 'mknod', 'mknodat'] as const),
  // Memory the watchdog would not see.
  ...(['shmget', 'msgget', 'semget', 'mq_open', 'mq_unlink', 'memfd_create', 'memfd_secret'] as const),
];

/**
 * Calls that a render never needs and an attacker would: refused by name, with EPERM, from before the child's program
 * starts. None of them is on the list of allowed calls; naming them makes a failure read as forbidden rather than
 * unknown.
 *
 * `pid` is the process in which the filter is installed, and the only one it may signal or limit.
 */
export function renderRefusals(pid: number): RefusalRule[] {
  return [
    ...NEVER.map((call) => ({ call, errno: EPERM })),
    // Threads, but no processes: so killing the child ends everything. The flags of clone3 are in memory, which no
    // filter can read; C libraries fall back to clone after ENOSYS.
    { call: 'clone3', errno: ENOSYS },
    { call: 'clone', errno: EPERM, when: { argument: 0, lacksFlag: CLONE_THREAD } },
    // A file opened for reading, or for neither (mode 3), can still be truncated: before its third ABI Landlock checks
    // only reading and writing, and inputs are hard links to files of ours.
    { call: 'open', errno: EPERM, when: emptyingWithoutWriting(1) },
    { call: 'openat', errno: EPERM, when: emptyingWithoutWriting(2) },
    { call: 'kill', errno: EPERM, when: { argument: 0, noneOf: [pid] } },
    { call: 'tgkill', errno: EPERM, when: { argument: 0, noneOf: [pid] } },
    { call: 'tkill', errno: EPERM },
    { call: 'rt_sigqueueinfo', errno: EPERM, when: { argument: 0, noneOf: [pid] } },
    { call: 'rt_tgsigqueueinfo', errno: EPERM, when: { argument: 0, noneOf: [pid] } },
    { call: 'prlimit64', errno: EPERM, when: { argument: 0, noneOf: [0, pid] } },
    // Only what runtimes need. Other commands send signals through a descriptor's owner, type into a terminal, or take
    // a lease on a file, which delays everything that opens it: the next child, and the service's own threads.
    { call: 'fcntl', errno: EPERM, when: { argument: 1, noneOf: FCNTL_COMMANDS } },
    { call: 'ioctl', errno: EPERM, when: { argument: 1, noneOf: IOCTL_REQUESTS } },
  ];
}

function emptyingWithoutWriting(argument: number): NonNullable<RefusalRule['when']> {
  return { argument, bits: O_TRUNC | ACCESS_MODE, oneOf: [O_TRUNC, O_TRUNC | ACCESS_MODE] };
}

/** Calls that only the start needs: refused as the child's first act, before it has read a byte of media. */
export const SEAL_REFUSALS: readonly RefusalRule[] = [
  { call: 'execve', errno: EPERM },
  { call: 'execveat', errno: EPERM },
  // Without these two the kernel kills it with its parent, and the parent can see how much memory it holds.
  { call: 'prctl', errno: EPERM, when: { argument: 0, oneOf: [PR_SET_PDEATHSIG, PR_SET_DUMPABLE] } },
];
