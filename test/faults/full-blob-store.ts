import type { BlobStore } from '../../src/store/blob-store.ts';
import { diskError } from '../../src/store/store-error.ts';

/** A store whose disk is as full as the test says: blobs can be read and removed, none can be added. */
export function fullBlobStore(store: BlobStore, isFull: (key: string) => boolean): BlobStore {
  const requireRoom = (key: string): void => {
    if (!isFull(key)) return;
    throw diskError(
      Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
    );
  };
  return {
    put: async (key, body, signal) => {
      try {
        requireRoom(key);
      } catch (cause) {
        body.destroy();
        throw cause;
      }
      await store.put(key, body, signal);
    },
    putFile: async (key, path, signal) => {
      requireRoom(key);
      await store.putFile(key, path, signal);
    },
    read: (key, range) => store.read(key, range),
    info: (key) => store.info(key),
    list: (prefix) => store.list(prefix),
    delete: (key) => store.delete(key),
    deleteMany: (keys) => store.deleteMany(keys),
    sweep: (minAgeMs) => store.sweep(minAgeMs),
  };
}
