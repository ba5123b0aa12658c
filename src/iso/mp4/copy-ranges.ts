import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { CopySource } from './interleave.ts';

const BUFFER_BYTES = 1 << 20;

/**
 * Writes a file from a head and ranges of other files. All or nothing: it has a temporary name until every byte is on
 * disk, and is removed if that fails.
 */
export async function copyRanges(
  out: string,
  head: Buffer,
  sources: readonly CopySource[],
  signal?: AbortSignal,
): Promise<void> {
  const part = `${out}.part`;
  try {
    await using target = await open(part, 'w');
    using files = new OpenFiles();
    const gathered = new Gathering(target, signal);
    await gathered.add(head);
    for (const source of sources) {
      if ('bytes' in source) await gathered.add(source.bytes);
      else await gathered.addFrom(files.get(source.file), source.offset, source.length);
    }
    await gathered.flush();
    await target.sync();
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Collects bytes and writes them in large blocks: a range holds half a second, and a trip to the thread pool for each
 * costs more than its bytes. Reads are synchronous, since most of the bytes are in the page cache.
 */
class Gathering {
  readonly #target: FileHandle;
  readonly #signal: AbortSignal | undefined;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;

  constructor(target: FileHandle, signal: AbortSignal | undefined) {
    this.#target = target;
    this.#signal = signal;
  }

  async add(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const copied = bytes.copy(this.#buffer, this.#filled, done);
      done += copied;
      await this.#advance(copied);
    }
  }

  async addFrom(source: number, offset: number, length: number): Promise<void> {
    for (let done = 0; done < length; ) {
      const wanted = Math.min(this.#buffer.length - this.#filled, length - done);
      const read = readSync(source, this.#buffer, this.#filled, wanted, offset + done);
      if (read === 0) throw new Error('a file became shorter while it was copied');
      done += read;
      await this.#advance(read);
    }
  }

  async flush(): Promise<void> {
    this.#signal?.throwIfAborted();
    for (let done = 0; done < this.#filled; ) {
      const { bytesWritten } = await this.#target.write(this.#buffer, done, this.#filled - done);
      done += bytesWritten;
    }
    this.#filled = 0;
  }

  async #advance(bytes: number): Promise<void> {
    this.#filled += bytes;
    if (this.#filled === this.#buffer.length) await this.flush();
  }
}

/** The open files of the sound and of a chunk: two are in use at a time, for any number of files. */
class OpenFiles implements Disposable {
  readonly #open = new Map<string, number>();

  get(file: string): number {
    const descriptor = this.#open.get(file) ?? openSync(file, 'r');
    this.#open.delete(file);
    this.#open.set(file, descriptor);
    if (this.#open.size > 2) {
      const [oldest, unused] = this.#open.entries().next().value!;
      this.#open.delete(oldest);
      closeSync(unused);
    }
    return descriptor;
  }

  [Symbol.dispose](): void {
    for (const descriptor of this.#open.values()) closeSync(descriptor);
    this.#open.clear();
  }
}
