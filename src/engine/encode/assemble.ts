import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import type { ByteSource } from '../../iso/movie-index.ts';
import type { AssembledPlan } from '../../iso/mp4/assembled-tracks.ts';
import { type CopySource, layOutMovie } from '../../iso/mp4/movie-layout.ts';
import { type PacketIndex, readPacketIndex, type TrackKind } from '../../iso/mp4/sample-table.ts';

/** The parts of a finished video. */
export interface AssembleOptions {
  readonly plan: AssembledPlan;
  /** The chunks' files, in order. */
  readonly chunkFiles: readonly string[];
  /** An MP4 whose only track is the sound, in AAC. */
  readonly audioFile: string;
  readonly out: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies the packets of chunks and sound into one MP4. (R17, R18)
 *
 * @returns the file's size; the file gets its name only when it is complete.
 * @throws `chunk.unreadable` if an input is not what was rendered; the signal's reason.
 */
export async function assemble({ plan, chunkFiles, audioFile, out, signal }: AssembleOptions): Promise<number> {
  const chunks: PacketIndex<string>[] = [];
  for (const file of chunkFiles) {
    signal?.throwIfAborted();
    chunks.push(await packetsOf(file, 'vide'));
  }
  const { head, sources, bytes } = layOutMovie(plan, chunks, await packetsOf(audioFile, 'soun'));
  await copyRanges(out, head, sources, signal);
  return bytes;
}

/** As `readPacketIndex`. */
async function packetsOf(file: string, kind: TrackKind): Promise<PacketIndex<string>> {
  using source = new OpenFile(file);
  return await readPacketIndex(file, source, kind);
}

/** Reads synchronously: for a few bytes from the page cache, the thread pool costs more than the read. */
class OpenFile implements ByteSource, Disposable {
  readonly length: number;
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
    this.length = fstatSync(this.#descriptor).size;
  }

  async read(position: number, wanted: number): Promise<Uint8Array> {
    const buffer = Buffer.allocUnsafe(wanted);
    // Fewer where the file ends: the reader then finds that numbers are missing.
    return buffer.subarray(0, readSync(this.#descriptor, buffer, 0, wanted, position));
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

const BUFFER_BYTES = 1 << 20;

/**
 * Writes a file from a head and ranges of other files. All or nothing: it has a temporary name until every byte is on
 * disk, and is removed if that fails.
 */
async function copyRanges(
  out: string,
  head: Uint8Array,
  sources: readonly CopySource<string>[],
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

  async add(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + this.#buffer.length - this.#filled);
      this.#buffer.set(part, this.#filled);
      done += part.length;
      await this.#advance(part.length);
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
