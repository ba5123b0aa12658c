import { type Bytes, joinBytes, utf8 } from './bytes.ts';

/** Boxes of ISO/IEC 14496-12, as bytes. */

/** The content of a box: bytes, text (as UTF-8), nested boxes. */
export type BoxContent = Uint8Array | string | readonly BoxContent[];

/** A box: size, four characters, content. */
export function box(type: string, ...content: readonly BoxContent[]): Bytes {
  const parts = flat(content);
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return joinBytes([u32(length), fourCharacters(type), ...parts]);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...content: readonly BoxContent[]): Bytes {
  return box(type, u32(version * 0x1000000 + flags), ...content);
}

/** Each character is one byte. */
export function fourCharacters(type: string): Bytes {
  return Uint8Array.from(type, (character) => character.charCodeAt(0));
}

export function u8(...values: readonly number[]): Bytes {
  return Uint8Array.from(values);
}

export function u16(...values: readonly number[]): Bytes {
  return numbers(values, 2, (view, at, value) => view.setUint16(at, fitting(value, 2 ** 16)));
}

/** Throws if a value does not fit: no file is better than a wrong one. */
export function u32(...values: readonly number[]): Bytes {
  return numbers(values, 4, (view, at, value) => view.setUint32(at, fitting(value, 2 ** 32)));
}

export function u64(...values: readonly number[]): Bytes {
  return numbers(values, 8, (view, at, value) => view.setBigUint64(at, BigInt(fitting(value, 2 ** 64))));
}

/** As `u32`, for lists too long to be passed as arguments; negative values in two's complement. */
export function words(values: readonly number[]): Bytes {
  return numbers(values, 4, (view, at, value) => view.setInt32(at, value));
}

export function zeros(length: number): Bytes {
  return new Uint8Array(length);
}

function numbers(
  values: readonly number[],
  size: number,
  put: (view: DataView, at: number, value: number) => void,
): Bytes {
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of values.entries()) put(view, index * size, value);
  return bytes;
}

function fitting(value: number, limit: number): number {
  if (value >= 0 && value < limit) return value;
  throw new RangeError(`${value} does not fit: 0 to ${limit - 1} is allowed`);
}

function flat(content: readonly BoxContent[]): Uint8Array[] {
  return content.flatMap((part) => {
    if (typeof part === 'string') return utf8(part);
    return part instanceof Uint8Array ? part : flat(part);
  });
}
