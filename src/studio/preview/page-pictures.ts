import { startWorker } from '../kit/assets.ts';
import { reportFault } from '../session/preview-faults.ts';
import { playing } from '../session/session.ts';
import { speed } from '../session/transport.ts';
import * as texts from '../texts/en/preview.ts';
import type { DrawingOrder, DrawingReply } from './canvas/drawing-worker.ts';

/** Within this distance, a seek is not needed. */
const NEAR_SECONDS = 0.001;
/** The most that a playing element may drift before it is corrected. */
const MAX_DRIFT_SECONDS = 0.25;
/** How long to wait for a frame after a seek. It does not come if it is already shown, or if the page is hidden. */
const LATE_MS = 500;
/** An element that is not used for this long is paused: its clip is over. */
const IDLE_MS = 400;

interface Played {
  readonly video: HTMLVideoElement;
  /** Whether the element has a picture; false if there is no file, or the browser cannot play it. */
  readonly ready: Promise<boolean>;
  idle: ReturnType<typeof setTimeout> | null;
}

const played = new Map<string, Played>();

/** A clip's frame from a video element that plays or seeks, for files that WebCodecs cannot decode here. */
export async function elementFrame(
  source: string,
  file: () => Promise<Blob | null>,
  micros: number,
): Promise<ImageBitmap | null> {
  let element = played.get(source);
  if (element === undefined) {
    element = opened(file);
    played.set(source, element);
  }
  if (!(await element.ready)) {
    // The file may arrive later, so that the next call tries again.
    if (played.get(source) === element) endElement(source);
    return null;
  }
  await put(element, micros / 1e6);
  return picture(element.video);
}

/** An element on a busy machine can report its data before its picture can be read. */
async function picture(video: HTMLVideoElement): Promise<ImageBitmap | null> {
  const now = await createImageBitmap(video).catch(() => null);
  if (now !== null || video.error !== null) return now;
  await nextPicture(video);
  return createImageBitmap(video).catch(() => null);
}

export function endElement(source: string): void {
  const element = played.get(source);
  if (element === undefined) return;
  played.delete(source);
  URL.revokeObjectURL(element.video.src);
  element.video.removeAttribute('src');
  element.video.load();
}

function opened(file: () => Promise<Blob | null>): Played {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto' });
  const ready = file().then((blob) => {
    if (blob === null) return false;
    video.src = URL.createObjectURL(blob);
    return first(video, 'loadeddata').then((event) => event === 'loadeddata');
  });
  return { video, ready, idle: null };
}

/** Seeks to a time; during forward playback, only if the drift is too large. */
async function put(element: Played, seconds: number): Promise<void> {
  const { video } = element;
  if (element.idle !== null) clearTimeout(element.idle);
  element.idle = setTimeout(() => video.pause(), IDLE_MS);
  const off = Math.abs(video.currentTime - seconds);
  if (playing.peek() && speed.peek() > 0) {
    video.playbackRate = Math.min(8, speed.peek());
    if (video.paused) void video.play().catch(() => {});
    if (off > MAX_DRIFT_SECONDS) video.currentTime = seconds;
    return;
  }
  video.pause();
  // During a seek, `currentTime` is already the target.
  if (off < NEAR_SECONDS && !video.seeking) return;
  const there = Promise.all([first(video, 'seeked'), nextPicture(video)]);
  video.currentTime = seconds;
  await there;
}

/** After a seek, an element may still show the previous frame. */
function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((come) => {
    if (!('requestVideoFrameCallback' in video)) return come();
    const late = setTimeout(come, LATE_MS);
    video.requestVideoFrameCallback(() => {
      clearTimeout(late);
      come();
    });
  });
}

/** The first event of an element: the wanted one, or a failure. */
function first(video: HTMLVideoElement, wanted: 'loadeddata' | 'seeked'): Promise<string> {
  const heard = new AbortController();
  return new Promise((resolve) => {
    for (const kind of [wanted, 'error', 'emptied']) {
      const hear = () => {
        heard.abort();
        resolve(kind);
      };
      video.addEventListener(kind, hear, { signal: heard.signal });
    }
  });
}

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
