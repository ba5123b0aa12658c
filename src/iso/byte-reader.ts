/** Reads numbers from a file's bytes. Reading beyond the end throws a RangeError: the file is damaged. */
export class ByteReader {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.length = bytes.byteLength;
  }

  /** Whether the Latin-1 characters of `text` are at `offset`; false beyond the end. */
  startsWith(text: string, offset = 0): boolean {
    for (let i = 0; i < text.length; i += 1) if (this.#bytes[offset + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** Bytes as they are; fewer where the file ends. */
  part(offset: number, length: number): Uint8Array {
    return this.#bytes.subarray(offset, offset + length);
  }

  /** Four characters, as containers name their parts. */
  tag(offset: number): string {
    return String.fromCharCode(this.u8(offset), this.u8(offset + 1), this.u8(offset + 2), this.u8(offset + 3));
  }

  u8(offset: number): number {
    return this.#view.getUint8(offset);
  }

  u16(offset: number, littleEndian = false): number {
    return this.#view.getUint16(offset, littleEndian);
  }

  u32(offset: number, littleEndian = false): number {
    return this.#view.getUint32(offset, littleEndian);
  }

  /** A number of 0 to 8 bytes, the highest first; beyond 2⁵³ it is not exact, and beyond every file. */
  uint(offset: number, bytes: number): number {
    let value = 0;
    for (let n = 0; n < bytes; n += 1) value = value * 256 + this.u8(offset + n);
    return value;
  }

  i32(offset: number): number {
    return this.#view.getInt32(offset);
  }

  u16le(offset: number): number {
    return this.u16(offset, true);
  }

  u24le(offset: number): number {
    return this.u16le(offset) | (this.u8(offset + 2) << 16);
  }

  u32le(offset: number): number {
    return this.u32(offset, true);
  }

  i32le(offset: number): number {
    return this.#view.getInt32(offset, true);
  }
}
