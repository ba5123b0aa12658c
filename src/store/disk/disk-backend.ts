import { fileURLToPath } from 'node:url';
import { ExportError } from '../../errors.ts';
import type { BlobBackend } from '../blob-store.ts';
import { causeOf } from '../store-error.ts';
import { DiskBlobStore } from './disk-blob-store.ts';
import { requireFolder } from './require-folder.ts';

/** A folder. */
export interface DiskPlace {
  readonly scheme: 'file';
  readonly path: string;
}

/** A folder that all nodes share. */
export const DISK_BACKEND: BlobBackend<DiskPlace> = {
  scheme: 'file',
  example: 'file:///folder',
  redirects: false,
  parse: (url) => (url.host === '' && url.pathname !== '/' ? { scheme: 'file', path: fileURLToPath(url) } : null),
  describe: ({ path }) => path,
  open: async ({ path }, _settings, { now }) => {
    await requireFolder(path, { what: 'The shared folder', variable: 'TIERCUT_BLOBS_URL' });
    return { blobs: await DiskBlobStore.open(path, now), addresses: null };
  },
  explainFault: (error, { path }) => {
    const saysItAll = error instanceof ExportError && error.code === 'store.unusable_folder';
    return saysItAll ? null : `${path}: ${causeOf(error).message}`;
  },
};
