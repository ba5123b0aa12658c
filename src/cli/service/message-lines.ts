/** A line of a stream, or that one was longer than allowed. */
type MessageLine = { readonly text: string } | { readonly bytes: number };

const NEWLINE = 0x0a;

/** The lines of a stream. A line of more than `maxBytes` is read to its end, and not kept. */
export async function* messageLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<MessageLine, void, undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  const line = (): MessageLine => {
    const whole: MessageLine = bytes > maxBytes ? { bytes } : { text: Buffer.concat(parts).toString('utf8') };
    parts = [];
    bytes = 0;
    return whole;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, end));
      yield line();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield line();

  function add(part: Uint8Array): void {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
    else parts = [];
  }
}
