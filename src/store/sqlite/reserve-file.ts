import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { link, open, rename, rm, stat, statfs, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, onDisk } from '../disk/disk-call.ts';
import { syncFolder } from '../disk/durable-file.ts';
import { RESERVE_BYTES, type RoomReserve } from '../nodes/node-store.ts';

/** The name of the database in the data folder. */
export const DATABASE = 'tiercut.db';

const BLOCK_BYTES = 2 ** 20;
/** With less free space, only work that frees space may write records. */
const FULL_BELOW_BYTES = 2 ** 20;
/** Released if a start finds a full disk: SQLite creates the index of its log, and the service some folders. */
const START_BYTES = 2 ** 16;
/** More than the header of the log. */
const HEADER_BYTES = 4096;
/** How long a measured amount of free space counts. */
const MEASURED_FOR_MS = 10;

/**
 * The reserve is space inside SQLite's log: bytes after its end, which SQLite ignores when it reads and overwrites when
 * it writes. So a commit needs no space, and no other program can take the reserve, because it is never released.
 *
 * SQLite removes its log when it closes. The file then stays under the name `reserve`, and becomes the log at the next
 * start. A killed process leaves the log itself.
 */
export class ReserveFile implements RoomReserve {
  readonly #folder: string;
  readonly #log: string;
  readonly #lent = new AsyncLocalStorage<true>();
  #missingBytes = RESERVE_BYTES;
  #isFull = false;
  #refilling: Promise<void> | null = null;
  #measured = { atMs: -Infinity, freeBytes: 0 };

  /** Call it before SQLite opens the database: makes the reserve of the last process the log. */
  static async open(folder: string): Promise<ReserveFile> {
    const reserve = new ReserveFile(folder);
    await onDisk(() => reserve.#restore());
    return reserve;
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#log = logPath(folder);
  }

  get missingBytes(): number {
    return this.#missingBytes;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  lend<T>(work: () => Promise<T>): Promise<T> {
    return this.#lent.run(true, work);
  }

  /**
   * Whether the caller may write records now: the disk has space, or it is work that frees some. Other work would fill
   * the log, which SQLite cannot empty on a full disk if the database has to grow.
   */
  hasRoom(): boolean {
    if (this.#lent.getStore() === true) return true;
    const nowMs = performance.now();
    if (nowMs - this.#measured.atMs >= MEASURED_FOR_MS) {
      const { bavail, bsize } = statfsSync(this.#folder);
      this.#measured = { atMs: nowMs, freeBytes: bavail * bsize };
    }
    return this.#measured.freeBytes >= FULL_BELOW_BYTES;
  }

  refill(): Promise<void> {
    this.#refilling ??= onDisk(() => this.#refill()).finally(() => {
      this.#refilling = null;
    });
    return this.#refilling;
  }

  /** Call it before SQLite closes the database: it removes its log, but not the second name. */
  async keep(): Promise<void> {
    await rm(reservePath(this.#folder), { force: true }).catch(() => {});
    if ((await sizeOf(this.#log)) < BLOCK_BYTES) return;
    // Without hard links, the next start reserves the space again.
    await link(this.#log, reservePath(this.#folder)).catch(() => {});
  }

  async #restore(): Promise<void> {
    const path = reservePath(this.#folder);
    const kept = await sizeOf(path);
    // The log of a killed process has committed data, and the reserve is its second name or superfluous.
    if (kept > 0 && (await sizeOf(this.#log)) > 0) await rm(path);
    else if (kept > 0) await this.#becomeLog(path, kept);
    this.#missingBytes = Math.max(0, RESERVE_BYTES - (await sizeOf(this.#log)));
  }

  async #becomeLog(path: string, bytes: number): Promise<void> {
    await using file = await open(path, 'r+');
    // The content is an old log. SQLite must not apply it again: the database may have changed since.
    await file.write(randomBytes(HEADER_BYTES), 0, Math.min(HEADER_BYTES, bytes), 0);
    await file.sync();
    const isFull = (await this.#freeBytes()) < FULL_BELOW_BYTES;
    if (isFull) await truncate(path, Math.max(0, bytes - START_BYTES));
    await rename(path, this.#log);
    // Otherwise a power cut could bring the old name back, and the next start would drop what was committed here.
    await syncFolder(this.#folder);
  }

  async #refill(): Promise<void> {
    const bytes = await sizeOf(this.#log);
    this.#missingBytes = Math.max(0, RESERVE_BYTES - bytes);
    const freeBytes = await this.#freeBytes();
    this.#isFull = freeBytes < RESERVE_BYTES;
    // SQLite creates the log with the first write.
    if (bytes === 0 || this.#missingBytes === 0 || freeBytes < RESERVE_BYTES + this.#missingBytes) return;
    try {
      await this.#grow(this.#missingBytes);
      this.#missingBytes = 0;
    } catch (cause) {
      if (!hasCode(cause, ['ENOSPC', 'EDQUOT'])) throw cause;
    }
  }

  /** Appends, so nothing that SQLite writes meanwhile is overwritten. */
  async #grow(bytes: number): Promise<void> {
    // A file system with compression would reserve no space for zeros.
    const block = randomBytes(BLOCK_BYTES);
    await using file = await open(this.#log, 'a');
    for (let left = bytes; left > 0; left -= BLOCK_BYTES) await file.appendFile(block.subarray(0, left));
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize;
  }
}

/** The reserved bytes of a data folder, whether or not a service uses it. */
export async function keptBackBytes(folder: string): Promise<number> {
  const bytes = Math.max(await sizeOf(reservePath(folder)), await sizeOf(logPath(folder)));
  return Math.min(RESERVE_BYTES, bytes);
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.size ?? 0;
}

function logPath(folder: string): string {
  return join(folder, `${DATABASE}-wal`);
}

function reservePath(folder: string): string {
  return join(folder, 'reserve');
}
