import { startWorker } from '../kit/assets.ts';
import { reportFault } from '../session/preview-faults.ts';
import * as texts from '../texts/en/preview.ts';

/** From the page: a drawing, and the target length of its shorter side. */
export interface DrawingOrder {
  readonly file: Blob;
  readonly maxPx: number;
}

/** To the page: first that orders are accepted; then, for each order, that everything for it is there, and a result. */
export type DrawingReply = 'ready' | 'drawing' | { readonly bitmap: ImageBitmap } | { readonly failed: string };

/** By the clock, without the time to fetch fonts: a browser does not tell the processor time of a worker. The service allows 4 s of processor time. */
const LONGEST_MS = 10_000;

let worker: Worker | null = null;
let queue: Promise<ImageBitmap | null> = Promise.resolve(null);

/**
 * Draws an SVG as the service does: by the same program, with the same fonts and limits, so that it looks the same in the
 * video. A worker draws one after the other; it is ended if a drawing takes too long. The program is fetched with the first SVG.
 *
 * @returns null if it is not here or cannot be drawn; the preview then shows the reason.
 */
export function drawSvg(hash: string, file: Blob | null, maxPx: number): Promise<ImageBitmap | null> {
  if (file === null) return Promise.resolve(null);
  const drawing = queue.then(() => drawNow({ file, maxPx }));
  queue = drawing.catch((error: unknown) => {
    reportFault(error, hash);
    return null;
  });
  return queue;
}

async function drawNow(order: DrawingOrder): Promise<ImageBitmap> {
  try {
    if (worker === null) {
      worker = startWorker('drawing-worker');
      await replyOf(worker, null);
    }
    worker.postMessage(order);
    let reply = await replyOf(worker, null);
    if (reply === 'drawing') reply = await replyOf(worker, LONGEST_MS);
    if (typeof reply === 'object' && 'bitmap' in reply) return reply.bitmap;
    throw new Error(typeof reply === 'object' ? reply.failed : texts.drawingFailed);
  } catch (error) {
    // After a failure of its own, a worker is not to be trusted with the next drawing.
    worker?.terminate();
    worker = null;
    throw error;
  }
}

function replyOf(asked: Worker, maxMs: number | null): Promise<DrawingReply> {
  return new Promise((resolve, reject) => {
    const timer = maxMs === null ? undefined : setTimeout(() => reject(new Error(texts.drawingTooLong)), maxMs);
    asked.onmessage = ({ data }: MessageEvent<DrawingReply>) => {
      clearTimeout(timer);
      resolve(data);
    };
    asked.onerror = ({ message }) => {
      clearTimeout(timer);
      reject(new Error(message || texts.drawingFailed));
    };
  });
}
