/** Bytes of their own, which browsers have too; Node's `Buffer` they have not. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function joinBytes(parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function areEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, n) => byte === other[n]);
}

const ENCODER = new TextEncoder();

export function utf8(text: string): Bytes {
  return ENCODER.encode(text);
}
