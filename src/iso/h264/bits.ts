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
  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}
