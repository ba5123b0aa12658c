/** Boxes of ISO/IEC 14496-12, as bytes. */

/** The content of a box: bytes, text (as UTF-8), nested boxes. */
export type BoxContent = Uint8Array | string | readonly BoxContent[];

/** A box: size, four characters, content. */
export function box(type: string, ...content: readonly BoxContent[]): Buffer {
  const body = bytes(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** A box with a version and flags. */
export function fullBox(type: string, version: number, flags: number, ...content: readonly BoxContent[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...content);
}

export function u8(...values: readonly number[]): Buffer {
  return Buffer.from(values);
}

export function u16(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) buffer.writeUInt16BE(value, index * 2);
  return buffer;
}

/** Throws if a value does not fit: no file is better than a wrong one. */
export function u32(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

export function u64(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) buffer.writeBigUInt64BE(BigInt(value), index * 8);
  return buffer;
}

export function zeros(length: number): Buffer {
  return Buffer.alloc(length);
}

function bytes(content: readonly BoxContent[]): Buffer {
  const parts = content.map((part) => {
    if (typeof part === 'string') return Buffer.from(part);
    return part instanceof Uint8Array ? part : bytes(part);
  });
  return Buffer.concat(parts);
}
