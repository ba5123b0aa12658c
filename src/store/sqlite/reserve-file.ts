import { randomBytes } from 'node:crypto';
import { open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, onDisk } from '../disk/disk-call.ts';
import { RESERVE_BYTES, type RoomReserve } from '../nodes/room-reserve.ts';

const BLOCK_BYTES = 2 ** 20;

/** The reserve as a file of random bytes. */
export class ReserveFile implements RoomReserve {
  readonly #folder: string;
  readonly #path: string;
  #missingBytes = RESERVE_BYTES;
  #taking: Promise<void> | null = null;

  /** Finds the reserve of the last process. Releases it if the disk is full, because a start needs space, too. */
  static async open(folder: string): Promise<ReserveFile> {
    const reserve = new ReserveFile(folder);
    const isKept = (await keptBackBytes(folder)) === RESERVE_BYTES;
    if (isKept && (await reserve.#freeBytes()) >= RESERVE_BYTES) reserve.#missingBytes = 0;
    else await reserve.giveUp();
    return reserve;
  }

  private constructor(folder: string) {
    this.#folder = folder;
    this.#path = reservePath(folder);
  }

  get missingBytes(): number {
    return this.#missingBytes;
  }

  async giveUp(): Promise<void> {
    // The caller of `takeBack` gets the error. Space is needed here in either case.
    await this.#taking?.catch(() => {});
    this.#missingBytes = RESERVE_BYTES;
    await onDisk(() => rm(this.#path, { force: true }));
  }

  takeBack(): Promise<void> {
    this.#taking ??= onDisk(() => this.#take()).finally(() => {
      this.#taking = null;
    });
    return this.#taking;
  }

  async #take(): Promise<void> {
    if (this.#missingBytes === 0 || (await this.#freeBytes()) < 2 * RESERVE_BYTES) return;
    try {
      await this.#write();
      this.#missingBytes = 0;
    } catch (cause) {
      await rm(this.#path, { force: true });
      if (!hasCode(cause, ['ENOSPC', 'EDQUOT'])) throw cause;
    }
  }

  async #write(): Promise<void> {
    // A file system with compression would reserve no space for zeros.
    const block = randomBytes(BLOCK_BYTES);
    await using file = await open(this.#path, 'w', 0o600);
    for (let at = 0; at < RESERVE_BYTES; at += BLOCK_BYTES) await file.writeFile(block);
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await onDisk(() => statfs(this.#folder));
    return bavail * bsize;
  }
}

/** The reserved bytes of a data folder; a file of another size counts as none. */
export async function keptBackBytes(folder: string): Promise<number> {
  const found = await stat(reservePath(folder)).catch(() => null);
  return found?.size === RESERVE_BYTES ? RESERVE_BYTES : 0;
}

function reservePath(folder: string): string {
  return join(folder, 'reserve');
}
