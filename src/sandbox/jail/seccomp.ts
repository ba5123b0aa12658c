import { addressOf, jailArch, systemCall } from './libc.ts';
import { type JailArch, type SyscallName, syscallNumber } from './syscall-numbers.ts';

/** One system call that is refused with an errno, always or by one of its arguments. At most one rule a call. */
export interface RefusalRule {
  readonly call: SyscallName;
  readonly errno: number;
  /**
   * Refuse only where the argument's low 32 bits, or those of `bits`, meet this; all arguments named here are 32 bits wide
   * to the kernel.
   */
  readonly when?:
    | { readonly argument: number; readonly oneOf: readonly number[]; readonly bits?: number }
    | { readonly argument: number; readonly noneOf: readonly number[] }
    | { readonly argument: number; readonly lacksFlag: number };
}

/** The result of a filter for each call. */
interface CallFilter {
  /** All other calls return ENOSYS. Without a list, every call that is not refused is allowed. */
  readonly allow?: readonly SyscallName[];
  /** No call is both here and in `allow`. A call that is refused by its argument is allowed with other arguments. */
  readonly refuse: readonly RefusalRule[];
}

export const EPERM = 1;
export const ENOSYS = 38;

const SECCOMP_SET_MODE_FILTER = 1;
const SECCOMP_FILTER_FLAG_TSYNC = 1;
const AUDIT_ARCH = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;

const RETURN_ALLOW = 0x7fff0000;
const RETURN_ERRNO = 0x00050000;
const RETURN_KILL_PROCESS = 0x80000000;

// Offsets in struct seccomp_data; both machines are little-endian, so an argument's low half comes first.
const NUMBER_OFFSET = 0;
const ARCH_OFFSET = 4;
const ARGUMENTS_OFFSET = 16;

const LOAD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_FLAG = 0x45;
const KEEP_BITS = 0x54;
const RETURN = 0x06;

interface Instruction {
  readonly code: number;
  readonly skipIfTrue?: number;
  readonly skipIfFalse?: number;
  readonly value: number;
}

/**
 * The filter as the kernel takes it (an array of struct sock_filter).
 *
 * Calls of another machine's interface end the process: their numbers mean other things, so no rule could judge them. The
 * numbers of x32 (which sets bit 30) are in no list.
 */
export function filterProgram({ allow, refuse }: CallFilter, arch: JailArch): Uint8Array {
  const instructions: Instruction[] = [
    { code: LOAD, value: ARCH_OFFSET },
    { code: JUMP_IF_EQUAL, value: AUDIT_ARCH[arch], skipIfTrue: 1 },
    { code: RETURN, value: RETURN_KILL_PROCESS },
    { code: LOAD, value: NUMBER_OFFSET },
  ];
  const add = (call: SyscallName, verdict: readonly Instruction[]): void => {
    const number = syscallNumber(call, arch);
    if (number === null) return;
    instructions.push({ code: JUMP_IF_EQUAL, value: number, skipIfFalse: verdict.length }, ...verdict);
  };
  // The most frequent calls come first; the kernel walks the list every time.
  for (const call of allow ?? []) add(call, [{ code: RETURN, value: RETURN_ALLOW }]);
  for (const rule of refuse) add(rule.call, judge(rule));
  instructions.push({ code: RETURN, value: allow === undefined ? RETURN_ALLOW : RETURN_ERRNO | ENOSYS });
  return assemble(instructions);
}

/**
 * Permanently puts every thread of the process under a filter; filters add up and the strictest result counts.
 *
 * @throws SystemCallError if the kernel has no seccomp, or the process may not use it (no_new_privs must be set).
 */
export function installFilter(filter: CallFilter): void {
  const arch = jailArch();
  if (arch === null) throw new Error('seccomp needs Linux on x64 or arm64');
  const program = filterProgram(filter, arch);
  const header = Buffer.alloc(16);
  header.writeUInt16LE(program.length / 8, 0);
  header.writeBigUInt64LE(addressOf(program), 8);
  const strayThread = systemCall('seccomp', SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, header);
  if (strayThread !== 0) throw new Error(`thread ${strayThread} could not be put under the filter`);
}

/** The instructions after the number matches; every path ends in a return. */
function judge({ errno, when }: RefusalRule): Instruction[] {
  const refuse: Instruction = { code: RETURN, value: RETURN_ERRNO | errno };
  const allow: Instruction = { code: RETURN, value: RETURN_ALLOW };
  if (when === undefined) return [refuse];
  const load: Instruction = { code: LOAD, value: ARGUMENTS_OFFSET + 8 * when.argument };
  if ('lacksFlag' in when) {
    return [load, { code: JUMP_IF_FLAG, value: when.lacksFlag, skipIfTrue: 1 }, refuse, allow];
  }
  const listed = 'oneOf' in when ? when.oneOf : when.noneOf;
  const kept = 'bits' in when && when.bits !== undefined ? [{ code: KEEP_BITS, value: when.bits }] : [];
  // A match jumps over the remaining comparisons and the verdict for strangers.
  const comparisons = listed.map((value, i) => ({ code: JUMP_IF_EQUAL, value, skipIfTrue: listed.length - i }));
  const verdicts = 'oneOf' in when ? [allow, refuse] : [refuse, allow];
  return [load, ...kept, ...comparisons, ...verdicts];
}

function assemble(instructions: readonly Instruction[]): Uint8Array {
  // The garbage collector never moves an ArrayBuffer of its own, so its address stays valid.
  const program = Buffer.from(new ArrayBuffer(instructions.length * 8));
  for (const [i, { code, skipIfTrue = 0, skipIfFalse = 0, value }] of instructions.entries()) {
    program.writeUInt16LE(code, i * 8);
    program.writeUInt8(skipIfTrue, i * 8 + 2);
    program.writeUInt8(skipIfFalse, i * 8 + 3);
    program.writeUInt32LE(value >>> 0, i * 8 + 4);
  }
  return program;
}
