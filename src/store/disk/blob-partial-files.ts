import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type BlobStore, blobKey, deleteAll } from '../blob-store.ts';
import type { LocalFile, LocalFiles } from '../local-files.ts';
import type { PartialFile, PartialFiles } from '../partial-files.ts';

const FOLDER = 'unfinished';
const DIGITS = 15;
const NEVER = new AbortController().signal;

interface BlobPartialFilesPorts {
  readonly blobs: Pick<BlobStore, 'put' | 'read' | 'list' | 'deleteMany'>;
  readonly local: Pick<LocalFiles, 'scratch'>;
}

/** Bytes `start … end` of a file, stored as a blob. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Growing files for several nodes: each sync stores the new bytes as a blob. The node that resumes an upload joins the
 * blobs on its own disk; it need not be the node that started. A connection that lost the upload cannot write to what
 * another node has read, hashed and stored.
 */
export class BlobPartialFiles implements PartialFiles {
  readonly #ports: BlobPartialFilesPorts;

  constructor(ports: BlobPartialFilesPorts) {
    this.#ports = ports;
  }

  async create(name: string): Promise<PartialFile> {
    return this.#open(name, []);
  }

  async resume(name: string, bytes: number): Promise<PartialFile | null> {
    const stretches: Stretch[] = [];
    for await (const { key } of this.#ports.blobs.list(`${FOLDER}/${name}/`)) {
      const [start, end] = key.slice(key.lastIndexOf('/') + 1).split('-') as [string, string];
      stretches.push({ start: Number(start), end: Number(end) });
    }
    const row = inARow(stretches, bytes);
    return row === null ? null : this.#open(name, row, bytes);
  }

  async delete(name: string): Promise<void> {
    const { blobs } = this.#ports;
    await deleteAll(blobs, await Array.fromAsync(blobs.list(`${FOLDER}/${name}/`), ({ key }) => key));
  }

  async list(): Promise<string[]> {
    const names = new Set<string>();
    for await (const { key } of this.#ports.blobs.list(`${FOLDER}/`)) names.add(key.split('/')[1]!);
    return [...names];
  }

  async #open(name: string, row: readonly Stretch[], bytes = 0): Promise<PartialFile> {
    const { blobs, local } = this.#ports;
    await using held = new AsyncDisposableStack();
    const folder = held.use(await local.scratch());
    const path = join(folder.path, 'part');
    const handle = held.use(await open(path, 'wx+', 0o600));
    let [at, safe] = [0, 0];
    for (const { start, end } of row) {
      const until = Math.min(end, bytes);
      const from = { start: at - start, end: until - start };
      for await (const chunk of await blobs.read(keyOf(name, { start, end }), from)) {
        await handle.writeFile(chunk);
        at += chunk.length;
      }
      // A blob that is cut in two is stored again with the next bytes.
      safe = end <= bytes ? end : start;
    }
    held.move();
    return new BlobPartialFile(name, { folder, path, handle }, { bytes, safe }, blobs);
  }
}

class BlobPartialFile implements PartialFile {
  readonly path: string;
  readonly #name: string;
  readonly #folder: LocalFile;
  readonly #handle: FileHandle;
  readonly #blobs: Pick<BlobStore, 'put'>;
  #bytes: number;
  #safe: number;

  constructor(
    name: string,
    { folder, path, handle }: { folder: LocalFile; path: string; handle: FileHandle },
    { bytes, safe }: { bytes: number; safe: number },
    blobs: Pick<BlobStore, 'put'>,
  ) {
    this.#name = name;
    this.#folder = folder;
    this.path = path;
    this.#handle = handle;
    this.#blobs = blobs;
    this.#bytes = bytes;
    this.#safe = safe;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#handle.writeFile(bytes);
    this.#bytes += bytes.length;
  }

  async sync(): Promise<void> {
    const stretch = { start: this.#safe, end: this.#bytes };
    if (stretch.start === stretch.end) return;
    const body = createReadStream(this.path, { start: stretch.start, end: stretch.end - 1, highWaterMark: 2 ** 20 });
    await this.#blobs.put(keyOf(this.#name, stretch), body, NEVER);
    this.#safe = stretch.end;
  }

  read(): Readable {
    if (this.#bytes === 0) return Readable.from([]);
    return createReadStream(this.path, { end: this.#bytes - 1, highWaterMark: 2 ** 18 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** The blobs that make up the first `bytes` without a gap; null if there are none. */
function inARow(stretches: readonly Stretch[], bytes: number): Stretch[] | null {
  const row: Stretch[] = [];
  for (let at = 0; at < bytes; ) {
    const next = stretches.filter(({ start, end }) => start <= at && end > at).sort((a, b) => b.end - a.end)[0];
    if (next === undefined) return null;
    row.push(next);
    at = next.end;
  }
  return row;
}

function keyOf(name: string, { start, end }: Stretch) {
  return blobKey(FOLDER, name, [start, end].map((at) => String(at).padStart(DIGITS, '0')).join('-'));
}
