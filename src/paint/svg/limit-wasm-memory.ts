const MAGIC_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

/**
 * A WebAssembly program whose memory can grow to `maxPages` of 64 KiB and no further. The limit is written into the
 * program itself: a memory that the program defines cannot be limited from outside.
 */
export function limitWasmMemory(program: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  for (let at = MAGIC_BYTES; at < program.length; ) {
    const id = program[at]!;
    const [size, content] = readNumber(program, at + 1);
    if (id !== MEMORY_SECTION) {
      at = content + size;
      continue;
    }
    const [count, flags] = readNumber(program, content);
    if (count !== 1 || (program[flags]! & ~HAS_MAXIMUM) !== 0)
      throw new Error('not the kind of memory that can be limited');
    const [min] = readNumber(program, flags + 1);
    const section = [1, HAS_MAXIMUM, ...numberBytes(min), ...numberBytes(maxPages)];
    const parts = [
      program.subarray(0, at),
      [id, ...numberBytes(section.length), ...section],
      program.subarray(content + size),
    ];
    const limited = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let filled = 0;
    for (const part of parts) {
      limited.set(part, filled);
      filled += part.length;
    }
    return limited;
  }
  throw new Error('a program without memory');
}

/** LEB128, as numbers are there. @returns the number, and where it ends. */
function readNumber(bytes: Uint8Array, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start; ; at += 1) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return [value, at + 1];
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
