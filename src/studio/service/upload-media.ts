import { service } from './service.ts';

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file that the service has so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** Small enough to show progress and to lose little on a broken connection, large enough for throughput. */
const PART_BYTES = 4 << 20;

const underWay = new Map<string, Promise<unknown>>();

/**
 * Makes sure that the service has a file: sends it unless the service has it already. Each file is uploaded once, however many callers
 * need it. (C38)
 *
 * @throws TiercutError, or the signal's reason.
 */
export async function uploadMedia(sha256: string, file: Blob, { signal, onProgress }: UploadOptions): Promise<void> {
  // The service keeps a file for hours after its last use, but it may be gone. The check is cheap.
  if (!(await service.has(sha256, { signal }))) {
    const send = () =>
      service.upload(file, { sha256, signal, partBytes: PART_BYTES, onProgress: ({ done }) => onProgress?.(done) });
    const running = underWay.get(sha256) ?? send().finally(() => underWay.delete(sha256));
    underWay.set(sha256, running);
    await running;
  }
  onProgress?.(file.size);
}
