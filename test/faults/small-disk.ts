import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BLOCK_BYTES = 4096;
const SOME_BYTES = 2 ** 20;

/** A separate disk that can be filled to the last byte; needs the right to mount. */
export class SmallDisk implements Disposable {
  /** The data folder on it. */
  readonly folder: string;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.folder = join(root, 'data');
    mkdirSync(this.folder);
  }

  /** null where mounting is not allowed. */
  static mount(megabytes: number): SmallDisk | null {
    const root = mkdtempSync(join(tmpdir(), 'tiercut-disk-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', root]);
    if (status === 0) return new SmallDisk(root);
    rmSync(root, { recursive: true });
    return null;
  }

  /** Takes all room but so much. */
  fill(leaveBytes: number): void {
    this.free();
    const { bavail } = statfsSync(this.#root);
    const file = openSync(join(this.#root, 'filler'), 'w');
    try {
      const bytes = (bavail - Math.ceil(leaveBytes / BLOCK_BYTES)) * BLOCK_BYTES;
      const some = Buffer.alloc(SOME_BYTES);
      for (let at = 0; at < bytes; ) at += writeSync(file, some, 0, Math.min(SOME_BYTES, bytes - at));
    } finally {
      closeSync(file);
    }
  }

  /** Gives the room back. */
  free(): void {
    rmSync(join(this.#root, 'filler'), { force: true });
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['--lazy', this.#root]);
    rmSync(this.#root, { recursive: true, force: true });
  }
}
