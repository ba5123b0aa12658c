/**
 * The SHA-256 of a text's UTF-8 bytes, in hex. It is passed in, because platforms differ: keys must be synchronous, and
 * a browser's own is not.
 */
export type Sha256 = (text: string) => string;

/** The SHA-256 of plain data, in hex. Objects must be built in a fixed order of fields; lists are safer. */
export type Digest = (content: unknown) => string;

export function digestWith(sha256: Sha256): Digest {
  return (content) => sha256(JSON.stringify(content));
}
