const BLOCK = 512;
const REGULAR = new Set(['0', '\0']);

/** A file in a tar archive. */
interface TarFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * The wanted files of a tar archive as npm writes it: regular files with names of up to 255 characters.
 *
 * @param isWanted decides by the path; other files are skipped and never held in memory.
 * @throws Error if the archive is truncated.
 */
export async function* tarFiles(
  archive: AsyncIterable<Buffer>,
  isWanted: (path: string) => boolean,
): AsyncGenerator<TarFile> {
  const input = new ByteReader(archive);
  for (;;) {
    const header = await input.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const name = textAt(header, 0, 100);
    const prefix = textAt(header, 345, 155);
    const path = prefix === '' ? name : `${prefix}/${name}`;
    const size = Number.parseInt(textAt(header, 124, 12).trim() || '0', 8);
    if (!Number.isSafeInteger(size)) throw new Error(`the archive has no size for ${path}`);
    const padding = (BLOCK - (size % BLOCK)) % BLOCK;
    const isFile = REGULAR.has(String.fromCharCode(header[156]!));
    if (isFile && isWanted(path)) yield { path, bytes: await input.take(size) };
    else await input.skip(size);
    await input.skip(padding);
  }
}

function textAt(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

/** Reads exact numbers of bytes from a stream. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    await this.#pass(count, (part) => parts.push(part));
    return Buffer.concat(parts);
  }

  skip(count: number): Promise<void> {
    return this.#pass(count, () => {});
  }

  async #pass(count: number, use: (part: Buffer) => void): Promise<void> {
    for (let left = count; left > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done === true) throw new Error('the archive ends too early');
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      use(part);
    }
  }
}
