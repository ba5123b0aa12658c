import koffi from 'koffi';
import { type JailArch, type SyscallName, syscallNumber } from './syscall-numbers.ts';

/** A system call that the kernel turned down. */
export class SystemCallError extends Error {
  override readonly name = 'SystemCallError';
  readonly errno: number;

  constructor(call: string, errno: number) {
    super(`${call} failed with errno ${errno}`);
    this.errno = errno;
  }
}

/** Whole numbers go in registers, buffers by address (valid for the length of the call), null as a null pointer. */
export type SystemCallArgument = number | bigint | Uint8Array | null;

const libc = koffi.load(null);
const syscall = libc.func('long syscall(long, ...)');
const dup = libc.func('int dup(int)');
const dup2 = libc.func('int dup2(int, int)');

/** The machine the process runs on, or null where the jail's tables do not cover it. */
export function jailArch(): JailArch | null {
  if (process.platform !== 'linux') return null;
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : null;
}

/**
 * Makes a Linux system call on the calling thread.
 *
 * @throws SystemCallError where the kernel answers with an errno.
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

/** Where a buffer lies, for structures that point at another one. The caller keeps the buffer alive. */
export function addressOf(buffer: Uint8Array): bigint {
  return koffi.address(buffer);
}

/** A second descriptor for the same open file. */
export function duplicate(fd: number): number {
  return checked('dup', dup(fd));
}

/** Makes `target` mean what `fd` means; what `target` meant before is closed. */
export function redirect(fd: number, target: number): void {
  checked('dup2', dup2(fd, target));
}

function checked(call: string, answer: number): number {
  if (answer < 0) throw new SystemCallError(call, koffi.errno());
  return answer;
}
