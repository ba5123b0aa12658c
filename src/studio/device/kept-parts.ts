import { bytesToHex } from '@noble/hashes/utils.js';
import type { PacketIndex } from '../../iso/mp4/sample-table.ts';
import { DeviceError } from '../export/device-messages.ts';
import { partFolder } from '../keeping/part-folder.ts';
import { isDiskFull } from '../media/media-folders.ts';

/** What a file has in front of the packets, after its own length. */
interface PartHead {
  readonly sizes: readonly number[];
  readonly times: readonly number[];
  readonly keys: readonly number[];
  readonly ticksASecond: number;
  readonly config: readonly number[];
  /** SHA-256 of the packets: after a power failure, a file can have its length and not its content. */
  readonly digest: string;
}

const LENGTH_BYTES = 4;

/**
 * Chunks and sounds by their keys, on disk: made once, by whichever tab comes first, and complete or absent. Without storage they are
 * in memory.
 */
export class KeptParts {
  readonly #folder: Awaited<ReturnType<typeof partFolder>>;

  private constructor(folder: Awaited<ReturnType<typeof partFolder>>) {
    this.#folder = folder;
  }

  static async open(): Promise<KeptParts> {
    return new KeptParts(await partFolder());
  }

  /** Whether the part needs no more space. */
  async has(key: string): Promise<boolean> {
    if (this.#folder === 'none') return true;
    if (this.#folder === 'full') return false;
    const handle = await this.#folder.getFileHandle(key).catch(() => null);
    return handle !== null && (await handle.getFile()).size > 0;
  }

  /**
   * The part with that key; made if it is not there. While a tab makes it, others wait for it.
   *
   * @throws DeviceError if there is no space for it.
   */
  async part(key: string, make: () => Promise<PacketIndex<Blob>>): Promise<PacketIndex<Blob>> {
    const folder = this.#folder;
    if (folder === 'none') return make();
    if (folder === 'full') throw new DeviceError({ reason: 'filled' });
    return navigator.locks.request(`tiercut-part-${key}`, async () => {
      const kept = await readPart(folder, key).catch(() => null);
      if (kept !== null) return kept;
      const made = await make();
      await writePart(folder, key, made).catch(reportFull);
      return (await readPart(folder, key)) ?? made;
    });
  }
}

function reportFull(error: unknown): never {
  throw isDiskFull(error) ? new DeviceError({ reason: 'filled' }) : error;
}

/** Null if the file is not what was written. */
async function readPart(folder: FileSystemDirectoryHandle, key: string): Promise<PacketIndex<Blob> | null> {
  const file = await (await folder.getFileHandle(key)).getFile();
  const start = LENGTH_BYTES + new DataView(await file.slice(0, LENGTH_BYTES).arrayBuffer()).getUint32(0);
  const head = JSON.parse(await file.slice(LENGTH_BYTES, start).text()) as PartHead;
  const packets = file.slice(start);
  if ((await digestOf(packets)) !== head.digest) return null;
  const sizes = Uint32Array.from(head.sizes);
  return {
    file: packets,
    offsets: offsetsOf(sizes),
    sizes,
    times: Float64Array.from(head.times),
    keys: Uint8Array.from(head.keys),
    ticksASecond: head.ticksASecond,
    config: Uint8Array.from(head.config),
  };
}

/** The file appears under its name when it is closed. */
async function writePart(folder: FileSystemDirectoryHandle, key: string, part: PacketIndex<Blob>): Promise<void> {
  const { file, sizes, times, keys, ticksASecond, config } = part;
  const head: PartHead = {
    ...{ sizes: [...sizes], times: [...times], keys: [...keys], ticksASecond, config: [...config] },
    digest: await digestOf(file),
  };
  const text = new TextEncoder().encode(JSON.stringify(head));
  const length = new DataView(new ArrayBuffer(LENGTH_BYTES));
  length.setUint32(0, text.length);
  const writer = await (await folder.getFileHandle(key, { create: true })).createWritable();
  try {
    await writer.write(new Blob([length.buffer, text, file]));
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {});
    await folder.removeEntry(key).catch(() => {});
    throw error;
  }
}

async function digestOf(packets: Blob): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', await packets.arrayBuffer())));
}

/** Where parts of these sizes are if they follow each other. */
export function offsetsOf(sizes: Uint32Array): Float64Array {
  const offsets = new Float64Array(sizes.length);
  for (let index = 1; index < sizes.length; index += 1) {
    offsets[index] = offsets[index - 1]! + sizes[index - 1]!;
  }
  return offsets;
}
