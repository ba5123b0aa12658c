/** The part of `FileSystemSyncAccessHandle` that we use. The studio is type-checked with the DOM types, which lack it. */
interface SyncAccessHandle {
  write(bytes: BufferSource, options: { readonly at: number }): number;
  flush(): void;
  close(): void;
}

interface SyncFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccessHandle>;
}

const FLUSH_MS = 900;

/** The folder of running and unfinished recordings, in the origin private file system. */
export async function takesFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle('takes', { create: true });
}

/** The file of a running recording. Runs in a worker. */
export class TakeFile {
  readonly name: string;
  readonly #handle: SyncAccessHandle;
  #flushed = 0;
  #bytes = 0;
  #isOpen = true;

  private constructor(name: string, handle: SyncAccessHandle) {
    this.name = name;
    this.#handle = handle;
  }

  static async create(name: string): Promise<TakeFile> {
    const folder = await takesFolder();
    const handle = (await folder.getFileHandle(name, { create: true })) as SyncFileHandle;
    return new TakeFile(name, await handle.createSyncAccessHandle());
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws QuotaExceededError if there is no space. */
  write(bytes: Uint8Array, at = this.#bytes): void {
    const written = this.#handle.write(bytes as Uint8Array<ArrayBuffer>, { at });
    if (written < bytes.byteLength) throw new DOMException('', 'QuotaExceededError');
    this.#bytes = Math.max(this.#bytes, at + written);
    if (performance.now() - this.#flushed < FLUSH_MS) return;
    this.#handle.flush();
    this.#flushed = performance.now();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#handle.flush();
    this.#handle.close();
  }

  async remove(): Promise<void> {
    this.close();
    await (await takesFolder()).removeEntry(this.name).catch(() => {});
  }
}
