import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { ByteSource } from '../../iso/movie-index.ts';
import { readSampleTable, type SampleTable } from '../../iso/mp4/sample-table.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { TenantChunks } from '../../store/chunks/tenant-chunks.ts';
import type { LocalFile } from '../../store/local-files.ts';
import type { ExportRecord, OutputRecord } from '../../store/records/export-record.ts';
import type { StreamTrack } from '../api/streams-api.ts';
import type { ReadBytes } from './segment-stream.ts';
import type { StreamedPlan } from './stream-cuts.ts';

/** Every segment reads it again, so it is not checked here; the assembly checks it. */
const UNCHECKED = { unchecked: true } as const;

/** A file that segments are cut from, while it is held. */
export interface SegmentSource extends AsyncDisposable {
  readonly table: SampleTable;
  /** The frame number of its first picture in the video. */
  readonly firstFrame: number;
  readonly read: ReadBytes;
}

/** The export of a segment, and the plan of its output. */
interface SourceOwner {
  readonly record: Pick<ExportRecord, 'id' | 'tenant'>;
  readonly output: OutputRecord;
  readonly plan: StreamedPlan;
}

/** Finds the files that segments are cut from: chunks and sound in the cache, or the finished video. */
export class SegmentSources {
  readonly #chunks: Pick<TenantChunks, 'get'>;
  readonly #blobs: Pick<BlobStore, 'read'>;
  readonly #tables = new SampleTables();

  constructor({ chunks, blobs }: { chunks: Pick<TenantChunks, 'get'>; blobs: Pick<BlobStore, 'read'> }) {
    this.#chunks = chunks;
    this.#blobs = blobs;
  }

  /** A chunk of an unfinished output; null if it is not in the cache. */
  async chunk({ record, plan }: SourceOwner, index: number): Promise<SegmentSource | null> {
    const { key, start } = plan.chunks[index]!;
    const blob = await this.#chunks.get(record.tenant, key, UNCHECKED);
    // Its table is short and soon unused, so it is not cached.
    return blob && heldPart(blob, start, (bytes) => readSampleTable(bytes, 'vide'));
  }

  /** The sound of an unfinished output; null if it is not in the cache. */
  async sound({ record, plan }: SourceOwner): Promise<SegmentSource | null> {
    const { key } = plan.audio;
    const blob = await this.#chunks.get(record.tenant, key, UNCHECKED);
    const table = (bytes: ByteSource) =>
      this.#tables.get(`${record.tenant} ${key}`, () => readSampleTable(bytes, 'soun'));
    return blob && heldPart(blob, 0, table);
  }

  /** A completed output. An open blob can be read to its end, so there is nothing to hold. */
  async video({ output }: SourceOwner, track: StreamTrack): Promise<SegmentSource> {
    const read: ReadBytes = (range) => this.#blobs.read(output.blob!, range);
    const bytes: ByteSource = {
      length: output.bytes!,
      read: async (start, length) => buffer(await read({ start, end: start + length })),
    };
    const kind = track === 'audio' ? 'soun' : 'vide';
    const table = await this.#tables.get(`${output.sha256} ${kind}`, () => readSampleTable(bytes, kind));
    return { table, firstFrame: 0, read, [Symbol.asyncDispose]: async () => {} };
  }
}

async function heldPart(
  blob: LocalFile,
  firstFrame: number,
  readTable: (bytes: ByteSource) => Promise<SampleTable>,
): Promise<SegmentSource> {
  await using held = new AsyncDisposableStack();
  held.use(blob);
  const table = await readTable(await fileBytes(blob.path));
  const release = held.move();
  return {
    table,
    firstFrame,
    read: async ({ start, end }) => createReadStream(blob.path, { start, end: end - 1 }),
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

async function fileBytes(path: string): Promise<ByteSource> {
  const read = async (start: number, length: number): Promise<Buffer> => {
    await using file = await open(path, 'r');
    const { bytesRead, buffer: bytes } = await file.read(Buffer.alloc(length), 0, length, start);
    return bytes.subarray(0, bytesRead);
  };
  await using file = await open(path, 'r');
  return { length: (await file.stat()).size, read };
}

/** For all tables together: some 50 MB at most, and hundreds of videos of the usual length. */
const MAX_SAMPLES = 3_000_000;

/** The sample tables of long files, read once for many segments; the last used ones are cached. */
class SampleTables {
  readonly #cached = new Map<string, SampleTable>();
  #samples = 0;

  /** @param name identifies the bytes that the table is of; it is never reused for others. */
  async get(name: string, read: () => Promise<SampleTable>): Promise<SampleTable> {
    const known = this.#cached.get(name);
    const table = known ?? (await read());
    this.#drop(name);
    this.#cached.set(name, table);
    this.#samples += table.sizes.length;
    for (const [oldest] of this.#cached) {
      if (this.#samples <= MAX_SAMPLES || this.#cached.size === 1) break;
      this.#drop(oldest);
    }
    return table;
  }

  #drop(name: string): void {
    this.#samples -= this.#cached.get(name)?.sizes.length ?? 0;
    this.#cached.delete(name);
  }
}
