import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { Piece } from './interleave.ts';

const COPY_BUFFER_BYTES = 1 << 20;

/**
 * Writes a file out of a head and pieces of other files. All or nothing: it has another name until every byte is on
 * disk, and is gone if it never gets that far.
 */
export async function writePieces(
  out: string,
  head: Buffer,
  pieces: readonly Piece[],
  signal?: AbortSignal,
): Promise<void> {
  const part = `${out}.part`;
  try {
    await using target = await open(part, 'w');
    await using sources = new OpenFiles();
    const buffer = Buffer.allocUnsafe(COPY_BUFFER_BYTES);
    await writeAll(target, head);
    for (const piece of pieces) {
      signal?.throwIfAborted();
      if ('bytes' in piece) await writeAll(target, piece.bytes);
      else await copy(await sources.get(piece.file), piece.offset, piece.length, target, buffer);
    }
    await target.sync();
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function copy(
  source: FileHandle,
  offset: number,
  length: number,
  target: FileHandle,
  buffer: Buffer,
): Promise<void> {
  for (let done = 0; done < length; ) {
    const wanted = Math.min(buffer.length, length - done);
    const { bytesRead } = await source.read(buffer, 0, wanted, offset + done);
    if (bytesRead === 0) throw new Error('a file became shorter while it was copied');
    await writeAll(target, buffer.subarray(0, bytesRead));
    done += bytesRead;
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}

/** The sound's file and the chunk's at hand: two are in use at a time, however many there are. */
class OpenFiles implements AsyncDisposable {
  readonly #handles = new Map<string, FileHandle>();

  async get(file: string): Promise<FileHandle> {
    let handle = this.#handles.get(file);
    handle ??= await open(file, 'r');
    this.#handles.delete(file);
    this.#handles.set(file, handle);
    if (this.#handles.size > 2) {
      const [oldest, unused] = this.#handles.entries().next().value!;
      this.#handles.delete(oldest);
      await unused.close();
    }
    return handle;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const handle of this.#handles.values()) await handle.close();
    this.#handles.clear();
  }
}
