import { workerScope } from '../../kit/worker-scope.ts';
import { TakeFile } from './take-file.ts';

/** What the browser's own recorder has made is added to a file as it comes. Its name comes first, null last. */
export type ToAppender = string | ArrayBuffer | null;

/** How large the file is; null: it cannot be written. `closed`: it is complete. */
export type FromAppender = { readonly bytes: number | null; readonly closed: boolean };

let file: Promise<TakeFile> | null = null;

workerScope.onmessage = async ({ data }: MessageEvent<ToAppender>) => {
  try {
    if (typeof data === 'string') file = TakeFile.create(data);
    const open = await file!;
    if (data instanceof ArrayBuffer) open.write(new Uint8Array(data));
    if (data === null) open.close();
    workerScope.postMessage({ bytes: open.bytes, closed: data === null } satisfies FromAppender);
  } catch {
    workerScope.postMessage({ bytes: null, closed: data === null } satisfies FromAppender);
  }
};
