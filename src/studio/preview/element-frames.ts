import { playing } from '../session.ts';
import { speed } from './transport.ts';

/** A moment into a frame: at its very beginning an element may still show the one before. */
const INTO_FRAME_SECONDS = 0.002;
/** An element that plays along is this far off at the most before it is put right. */
const MOST_DRIFT_SECONDS = 0.25;
/** Not asked for that long, its clip is over. */
const IDLE_MS = 400;

interface Played {
  readonly video: HTMLVideoElement;
  readonly url: string;
  /** Whether there is a picture to be had; false where the browser cannot play the file. */
  readonly ready: Promise<boolean>;
  idle: ReturnType<typeof setTimeout> | null;
}

const played = new Map<string, Played>();

/** What a clip shows at a time, by an element that plays or seeks: for files that this browser gives no frames of. */
export async function elementFrame(
  source: string,
  file: () => Promise<Blob | null>,
  micros: number,
): Promise<ImageBitmap | null> {
  let element = played.get(source);
  if (element === undefined) {
    const blob = await file();
    if (blob === null) return null;
    element = opened(blob);
    played.set(source, element);
  }
  if (!(await element.ready)) return null;
  await put(element, micros / 1e6 + INTO_FRAME_SECONDS);
  return createImageBitmap(element.video).catch(() => null);
}

export function endElement(source: string): void {
  const element = played.get(source);
  if (element === undefined) return;
  played.delete(source);
  element.video.removeAttribute('src');
  element.video.load();
  URL.revokeObjectURL(element.url);
}

function opened(file: Blob): Played {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto', src: url });
  const ready = new Promise<boolean>((tell) => {
    video.addEventListener('loadeddata', () => tell(true), { once: true });
    video.addEventListener('error', () => tell(false), { once: true });
  });
  return { video, url, ready, idle: null };
}

/** At a time; while it plays forwards, near it. */
async function put(element: Played, seconds: number): Promise<void> {
  const { video } = element;
  if (element.idle !== null) clearTimeout(element.idle);
  element.idle = setTimeout(() => video.pause(), IDLE_MS);
  const off = Math.abs(video.currentTime - seconds);
  if (playing.peek() && speed.peek() > 0) {
    video.playbackRate = Math.min(8, speed.peek());
    if (video.paused) void video.play().catch(() => {});
    if (off > MOST_DRIFT_SECONDS) video.currentTime = seconds;
    return;
  }
  video.pause();
  if (off < INTO_FRAME_SECONDS / 2) return;
  await new Promise((there) => {
    for (const end of ['seeked', 'error']) video.addEventListener(end, there, { once: true });
    video.currentTime = seconds;
  });
}
