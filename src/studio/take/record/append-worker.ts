import { workerScope } from '../../kit/worker-scope.ts';
import { TakeFile } from './takes-folder.ts';

/** Appends the output of `MediaRecorder` to a file. The file name is sent first, null last. */
export type ToAppender = string | ArrayBuffer | null;

/** The size of the file; null if it cannot be written. `closed`: the file is complete. */
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
