import type { MediaFacts } from '../../plan/media-facts.ts';
import { askService, ServiceProblem } from './ask-service.ts';

/** What the service found in a file it has. (C38) */
interface UploadedMedia {
  readonly facts: {
    readonly kind: MediaFacts['kind'];
    readonly duration: number;
    readonly width: number;
    readonly height: number;
    readonly alpha: boolean;
    readonly sound: object | null;
    readonly problems: readonly string[];
  };
}

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Bytes of this file that the service has by now. */
  readonly onProgress?: (bytes: number) => void;
}

/** Small enough to show how far it is, and to lose little when the line breaks; large enough to keep it busy. */
const PIECE_BYTES = 4 << 20;

const underWay = new Map<string, Promise<UploadedMedia>>();
const there = new Map<string, UploadedMedia>();

/**
 * Sees to it that the service has a file: asks, and sends what it does not have, in pieces, on from where an earlier
 * attempt stopped. Each file goes up once, whoever wants it and how often. (C38)
 *
 * @throws ServiceProblem, or the signal's reason.
 */
export async function uploadMedia(sha256: string, file: Blob, options: UploadOptions): Promise<UploadedMedia> {
  const known = there.get(sha256);
  // It is kept for hours after its last use, and may be gone all the same: asking costs next to nothing.
  if (known !== undefined && (await offsetOf(sha256, options.signal)) === null) {
    options.onProgress?.(file.size);
    return known;
  }
  there.delete(sha256);
  const running = underWay.get(sha256) ?? send(sha256, file, options).finally(() => underWay.delete(sha256));
  underWay.set(sha256, running);
  const media = await running;
  options.onProgress?.(file.size);
  there.set(sha256, media);
  return media;
}

async function send(sha256: string, file: Blob, { signal, onProgress }: UploadOptions): Promise<UploadedMedia> {
  for (let from = await offsetOf(sha256, signal); from !== null; ) {
    onProgress?.(from);
    const start = from;
    const end = Math.min(file.size, start + PIECE_BYTES);
    const headers = {
      'content-range': `bytes ${start}-${end - 1}/${file.size}`,
      'content-type': 'application/octet-stream',
    };
    try {
      const body = file.slice(start, end);
      const reply = await askService(address(sha256), () => ({ method: 'PUT', headers, body, signal }));
      if (reply.status !== 202) return (await reply.json()) as UploadedMedia;
      from = Number(reply.headers.get('upload-offset'));
    } catch (error) {
      // A piece that came twice, or half: the service says where it is.
      const offset = error instanceof ServiceProblem ? error.headers.get('upload-offset') : null;
      if (offset === null || Number(offset) === start) throw error;
      from = Number(offset);
    }
  }
  return (await (await askService(address(sha256), () => ({ signal }))).json()) as UploadedMedia;
}

/** How much of it the service has; null: all. */
async function offsetOf(sha256: string, signal: AbortSignal): Promise<number | null> {
  try {
    await askService(address(sha256), () => ({ method: 'HEAD', signal }));
    return null;
  } catch (error) {
    if (!(error instanceof ServiceProblem) || error.status !== 404) throw error;
    return Number(error.headers.get('upload-offset') ?? 0);
  }
}

function address(sha256: string): string {
  return `/media/${sha256}`;
}
