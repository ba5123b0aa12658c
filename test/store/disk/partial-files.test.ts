import { join } from 'node:path';
import { BlobPartialFiles } from '../../../src/store/disk/blob-partial-files.ts';
import { CachedLocalFiles } from '../../../src/store/disk/cached-local-files.ts';
import { DiskBlobStore } from '../../../src/store/disk/disk-blob-store.ts';
import { DiskPartialFiles } from '../../../src/store/disk/disk-partial-files.ts';
import { partialFilesSuite } from '../partial-files-suite.ts';
import { fastFolder } from '../temp-folder.ts';

partialFilesSuite('disk', async (t) => {
  const root = fastFolder(t);
  return () => DiskPartialFiles.open(root);
});

partialFilesSuite('stretches as blobs', async (t) => {
  const root = fastFolder(t);
  const blobs = await DiskBlobStore.open(join(root, 'shared'));
  let nodes = 0;
  return async () => {
    const local = await CachedLocalFiles.open(join(root, `node-${++nodes}`), { blobs, limitBytes: 2 ** 30 });
    return new BlobPartialFiles({ blobs, local });
  };
});
