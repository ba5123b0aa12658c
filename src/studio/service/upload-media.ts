import { service } from './service.ts';

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file that the service has by now. */
  readonly onProgress?: (bytes: number) => void;
}

/** Small enough to show how far it is, and to lose little when the line breaks; large enough to keep it busy. */
const PART_BYTES = 4 << 20;

const underWay = new Map<string, Promise<unknown>>();

/**
 * Sees to it that the service has a file: asks, and sends what it does not have. Each file goes up once, whoever wants it and
 * how often. (C38)
 *
 * @throws TiercutError, or the signal's reason.
 */
export async function uploadMedia(sha256: string, file: Blob, { signal, onProgress }: UploadOptions): Promise<void> {
  // It is kept for hours after its last use, and may be gone all the same: asking costs next to nothing.
  if (!(await service.has(sha256, { signal }))) {
    const send = () =>
      service.upload(file, { sha256, signal, partBytes: PART_BYTES, onProgress: ({ done }) => onProgress?.(done) });
    const running = underWay.get(sha256) ?? send().finally(() => underWay.delete(sha256));
    underWay.set(sha256, running);
    await running;
  }
  onProgress?.(file.size);
}
