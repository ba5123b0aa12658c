const encoder = new TextEncoder();

/** How many bytes a text has in UTF-8. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
