import { playing } from '../session/session.ts';
import { speed } from '../session/transport.ts';

/** An element this close to a time is there. */
const NEAR_SECONDS = 0.001;
/** An element that plays along is this far off at the most before it is put right. */
const MOST_DRIFT_SECONDS = 0.25;
/** A picture that has not come that long after a seek does not come: it is there already, or the page is not seen. */
const LATE_MS = 500;
/** Not asked for that long, its clip is over. */
const IDLE_MS = 400;

interface Played {
  readonly video: HTMLVideoElement;
  /** Whether there is a picture to be had; false where there is no file, or the browser cannot play it. */
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
    element = opened(file);
    played.set(source, element);
  }
  if (!(await element.ready)) return null;
  await put(element, micros / 1e6);
  return createImageBitmap(element.video).catch(() => null);
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
  // On its way to a time it says to be there already.
  if (off < NEAR_SECONDS && !video.seeking) return;
  const there = Promise.all([first(video, 'seeked'), nextPicture(video)]);
  video.currentTime = seconds;
  await there;
}

/** An element may say that it is at a time, and still have the picture of another. */
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

/** What an element tells first: what is waited for, or that it will not come. */
function first(video: HTMLVideoElement, wanted: 'loadeddata' | 'seeked'): Promise<string> {
  const told = new AbortController();
  return new Promise((tell) => {
    for (const kind of [wanted, 'error', 'emptied']) {
      const hear = () => {
        told.abort();
        tell(kind);
      };
      video.addEventListener(kind, hear, { signal: told.signal });
    }
  });
}
