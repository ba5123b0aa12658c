import { type Bytes, joinBytes } from '../bytes.ts';

const START_CODE = Uint8Array.of(0, 0, 1);
const LONG_START_CODE = Uint8Array.of(0, ...START_CODE);
const EMULATION_PREVENTION = 3;

/** NAL unit types; those of table 7-1 that our encoder writes. */
export const NAL_TYPE = { slice: 1, idrSlice: 5, sps: 7, pps: 8 } as const;

export function nalType(nal: Uint8Array): number {
  return nal[0]! & 0x1f;
}

/** Whether other pictures may refer to this one. */
export function isReference(nal: Uint8Array): boolean {
  return (nal[0]! & 0x60) !== 0;
}

/** The NAL units of a byte stream (annex B), each without its start code. They are views of `bytes`. */
export function splitByteStream(bytes: Uint8Array): Uint8Array[] {
  const units: Uint8Array[] = [];
  let start = startCode(bytes, 0);
  while (start !== -1) {
    const begin = start + START_CODE.length;
    start = startCode(bytes, begin);
    let end = start === -1 ? bytes.length : start;
    // A longer start code begins with a zero that belongs to no unit; a unit itself never ends in one.
    while (end > begin && bytes[end - 1] === 0) end -= 1;
    units.push(bytes.subarray(begin, end));
  }
  return units;
}

/** The byte stream (annex B) of these NAL units. */
export function joinByteStream(units: readonly Uint8Array[]): Bytes {
  return joinBytes(units.flatMap((unit) => [LONG_START_CODE, unit]));
}

/** Where the next start code is; −1: there is none. */
function startCode(bytes: Uint8Array, from: number): number {
  for (let at = twoZeros(bytes, from); at !== -1; at = twoZeros(bytes, at + 1)) if (bytes[at + 2] === 1) return at;
  return -1;
}

/** Where the next two zeros are; −1: there are none. */
function twoZeros(bytes: Uint8Array, from: number): number {
  // The search for one byte runs in native code.
  for (let at = bytes.indexOf(0, from); at !== -1; at = bytes.indexOf(0, at + 2)) {
    if (bytes[at + 1] === 0) return at;
  }
  return -1;
}

/** A NAL unit's payload as it was before three bytes that look like a start code were kept apart. (7.4.1) */
export function unescaped(nal: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = twoZeros(nal, 0); at !== -1; at = twoZeros(nal, at)) {
    at += 2;
    if (nal[at] !== EMULATION_PREVENTION) {
      at -= 1;
      continue;
    }
    parts.push(nal.subarray(from, at));
    at += 1;
    from = at;
  }
  return parts.length === 0 ? nal : joinBytes([...parts, nal.subarray(from)]);
}

/** The reverse of `unescaped`. */
export function escaped(payload: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let at = twoZeros(payload, 0); at !== -1; at = twoZeros(payload, at)) {
    at += 2;
    if (at >= payload.length) break;
    if (payload[at]! > EMULATION_PREVENTION) {
      at += 1;
      continue;
    }
    parts.push(payload.subarray(from, at), Uint8Array.of(EMULATION_PREVENTION));
    from = at;
  }
  return parts.length === 0 ? payload : joinBytes([...parts, payload.subarray(from)]);
}

/** Reads an H.264 bit string from its front. Past the end it returns zeros; a caller that reads there has a bug. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, firstByte = 0) {
    this.#bytes = bytes;
    this.#at = firstByte * 8;
  }

  /** Bits read so far, from the first byte of the whole. */
  get position(): number {
    return this.#at;
  }

  skip(count: number): void {
    this.#at += count;
  }

  bit(): number {
    const bit = ((this.#bytes[this.#at >> 3] ?? 0) >> (7 - (this.#at & 7))) & 1;
    this.#at += 1;
    return bit;
  }

  bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i += 1) value = value * 2 + this.bit();
    return value;
  }

  /** ue(v) of the standard, 9.1. */
  unsigned(): number {
    let zeros = 0;
    while (zeros < 32 && this.bit() === 0) zeros += 1;
    return 2 ** zeros - 1 + this.bits(zeros);
  }

  /** se(v) of the standard, 9.1.1. */
  signed(): number {
    const code = this.unsigned();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }
}

/** Writes an H.264 bit string. */
export class BitWriter {
  readonly #bytes: number[] = [];
  #free = 0;

  /** Whether the next bit begins a byte. */
  get isAligned(): boolean {
    return this.#free === 0;
  }

  bit(value: number): void {
    if (this.#free === 0) {
      this.#bytes.push(0);
      this.#free = 8;
    }
    this.#free -= 1;
    this.#bytes[this.#bytes.length - 1]! |= value << this.#free;
  }

  bits(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i -= 1) this.bit(Math.floor(value / 2 ** i) & 1);
  }

  /** ue(v) */
  unsigned(value: number): void {
    const length = Math.floor(Math.log2(value + 1));
    this.bits(0, length);
    this.bits(value + 1, length + 1);
  }

  /** se(v) */
  signed(value: number): void {
    this.unsigned(value > 0 ? value * 2 - 1 : -value * 2);
  }

  /** The written bytes; the last byte is padded with zeros. */
  toBytes(): Bytes {
    return Uint8Array.from(this.#bytes);
  }
}
