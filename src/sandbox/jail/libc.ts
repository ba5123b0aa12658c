import koffi from 'koffi';
import { type JailArch, type SyscallName, syscallNumber } from './syscall-numbers.ts';

/** A system call that the kernel refused. */
export class SystemCallError extends Error {
  override readonly name = 'SystemCallError';
  readonly errno: number;

  constructor(call: string, errno: number) {
    super(`${call} failed with errno ${errno}`);
    this.errno = errno;
  }
}

/** Whole numbers go in registers, buffers by address (valid for the length of the call), null as a null pointer. */
type SystemCallArgument = number | bigint | Uint8Array | null;

const libc = koffi.load(null);
const syscall = libc.func('long syscall(long, ...)');
const dup = libc.func('int dup(int)');
const dup2 = libc.func('int dup2(int, int)');
const pipe = libc.func('int pipe(int *)');
const pipe2 = process.platform === 'linux' ? libc.func('int pipe2(int *, int)') : null;
const fcntl = libc.func('int fcntl(int, int, ...)');

const O_CLOEXEC = 0o2000000;
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const EBADF = 9;
const F_SETLEASE = 1024;
const F_RDLCK = 0;
const F_UNLCK = 2;

/** The machine the process runs on, or null if the jail's tables do not cover it. */
export function jailArch(): JailArch | null {
  if (process.platform !== 'linux') return null;
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : null;
}

/**
 * Makes a Linux system call on the calling thread.
 *
 * @throws SystemCallError if the kernel answers with an errno.
 */
export function systemCall(name: SyscallName, ...args: readonly SystemCallArgument[]): number {
  const arch = jailArch();
  const number = arch === null ? null : syscallNumber(name, arch);
  if (number === null) throw new Error(`${name} is not known on ${process.platform} ${process.arch}`);
  const typed = args.flatMap((arg): unknown[] => [typeof arg === 'object' ? 'void *' : 'int64_t', arg]);
  const answer = Number(syscall(number, ...typed));
  if (answer < 0) throw new SystemCallError(name, koffi.errno());
  return answer;
}

/** The address of a buffer, for structures that point at another one. The caller keeps the buffer alive. */
export function addressOf(buffer: Uint8Array): bigint {
  return koffi.address(buffer);
}

/** A second descriptor for the same open file. */
export function duplicate(fd: number): number {
  return checked('dup', dup(fd));
}

/** Makes `target` refer to the file of `fd`, and closes the previous file of `target`. */
export function redirect(fd: number, target: number): void {
  checked('dup2', dup2(fd, target));
}

/** A pipe that programs do not inherit: [the end to read from, the end to write to]. */
export function makePipe(): [readFd: number, writeFd: number] {
  const ends = Buffer.alloc(8);
  checked('pipe', pipe2 === null ? pipe(ends) : pipe2(ends, O_CLOEXEC));
  const [readFd, writeFd] = [ends.readInt32LE(0), ends.readInt32LE(4)];
  // Without pipe2, a program that another thread starts in between would inherit them.
  if (pipe2 === null) for (const fd of [readFd, writeFd]) keepFromPrograms(fd);
  return [readFd, writeFd];
}

/** Programs that this process becomes or starts do not get `fd`. No error where it is closed already. */
export function keepFromPrograms(fd: number): void {
  if (fcntl(fd, F_SETFD, 'int', FD_CLOEXEC) < 0 && koffi.errno() !== EBADF) {
    throw new SystemCallError('fcntl', koffi.errno());
  }
}

/** Takes a read lease, or releases it. False if the kernel refuses. Linux only. */
export function setLease(fd: number, held: boolean): boolean {
  return fcntl(fd, F_SETLEASE, 'int', held ? F_RDLCK : F_UNLCK) === 0;
}

function checked(call: string, answer: number): number {
  if (answer < 0) throw new SystemCallError(call, koffi.errno());
  return answer;
}
