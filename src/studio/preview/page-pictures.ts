import { playing } from '../session/session.ts';
import { speed } from '../session/transport.ts';

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
