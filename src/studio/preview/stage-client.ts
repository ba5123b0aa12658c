import { effect, signal } from '@preact/signals';
import { startWorker, studioConfig } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { mediaFile, onMediaCame } from '../media/media-store.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { decided, planned, playhead, playing, project, shape } from '../session/session.ts';
import type { FromStage, Shown, ToStage } from './stage/stage-messages.ts';

/** What is on the large canvas. */
export const shown = signal<Shown | null>(null);
/** What went wrong last, where nothing can be shown; null where all is well. */
export const stageFault = signal<string | null>(null);

/** The place of the large picture; the small ones are called by their shape. */
export const LARGE = 'large';
/** Where the large picture is drawn: a view over the page has a place of its own, and the small pictures wait under it. */
export const largePlace = signal(LARGE);
/** While it plays the small pictures follow at this distance, in frames: the large one has the time. */
const SMALL_EVERY = 15;
/** Nobody sees it: a picture follows when nothing has changed for so long, to be there when it is turned to. */
const UNSEEN_MS = 400;

/** Few browsers play a clip and give no frames of it. */
const elements = later(() => import('./element-frames.ts'));

let worker: Worker | null = null;
/** Whether the large picture is anywhere to be seen. */
let isSeen = true;
let unseen: ReturnType<typeof setTimeout> | undefined;

function send(message: ToStage, transfer: Transferable[] = []): void {
  worker!.postMessage(message, transfer);
}

/** Starts the worker that draws, and keeps it up to the plan and the playhead. */
export function startStage(): void {
  worker = startWorker('stage-worker');
  worker.onmessage = ({ data }: MessageEvent<FromStage>) => void answer(data);
  let sent: ReadonlyMap<string, PackedPlan> = new Map();
  effect(() => {
    const { plans } = planned.value;
    if (plans.size === 0) return;
    // A plan of two hours is large: only those that are new go over.
    const fresh = new Map([...plans].filter(([name, plan]) => sent.get(name) !== plan));
    sent = plans;
    send({ kind: 'plans', plans: fresh, shapes: [...plans.keys()] });
  });
  onMediaCame((hash) => send({ kind: 'came', hash }));
  let last = -1;
  let asked: readonly unknown[] = [];
  effect(() => {
    const frame = playhead.value;
    const { plans, of } = planned.value;
    const isPlaying = playing.value;
    const isDueNow = of === decided.value;
    // An edit is a new picture when it is planned, and not before.
    const place = largePlace.value;
    const asks = [frame, plans, isPlaying, shape.value, place];
    const isNew = asks.some((value, i) => value !== asked[i]);
    if (plans.size === 0 || !(isNew || isDueNow)) return;
    asked = asks;
    clearTimeout(unseen);
    const large = { place, shape: shape.value };
    // What is dragged changes with every picture of the screen: the small ones follow when it is let go.
    const isDue = place === LARGE && (!isPlaying ? isDueNow : Math.abs(frame - last) >= SMALL_EVERY);
    if (isDue) last = frame;
    const small = isDue ? studioConfig.presets.map(({ name }) => ({ place: name, shape: name })) : [];
    const show = () => send({ kind: 'show', order: { frame, playing: isPlaying, places: [large, ...small] } });
    if (isSeen) show();
    else unseen = setTimeout(show, UNSEEN_MS);
  });
}

/** A canvas is new, has another size, or is hidden (a scale of null): what is seen is shown once more. */
export function scaleCanvas(place: string, scale: number | null): void {
  if (place === largePlace.peek()) isSeen = scale !== null;
  if (scale === null) return;
  send({ kind: 'scale', place, scale });
  const small = studioConfig.presets.map(({ name }) => ({ place: name, shape: name }));
  const places = [{ place: largePlace.peek(), shape: shape.value }, ...small];
  send({ kind: 'show', order: { frame: playhead.value, playing: false, places } });
}

/** Hands a canvas over; it is drawn on from now on until the returned function is called. */
export function attachCanvas(place: string, canvas: HTMLCanvasElement): () => void {
  const offscreen = canvas.transferControlToOffscreen();
  send({ kind: 'attach', place, canvas: offscreen }, [offscreen]);
  return () => send({ kind: 'detach', place });
}

async function answer(message: FromStage): Promise<void> {
  switch (message.kind) {
    case 'ask_file':
      return send({ kind: 'file', hash: message.hash, file: await typedFile(message.hash) });
    case 'ask_drawing': {
      const bitmap = await drawSvg(message.hash, message.mostPx);
      return send({ kind: 'picture', ask: message.ask, bitmap }, bitmap === null ? [] : [bitmap]);
    }
    case 'ask_frame': {
      const { ask, source, hash, micros } = message;
      const asked = elements().then(({ elementFrame }) => elementFrame(source, () => typedFile(hash), micros));
      const bitmap = await asked.catch(() => null);
      return send({ kind: 'picture', ask, bitmap }, bitmap === null ? [] : [bitmap]);
    }
    case 'end_source':
      return (await elements()).endElement(message.source);
    case 'shown':
      if (message.shown.place === LARGE) shown.value = message.shown;
      stageFault.value = null;
      return;
    case 'failed':
      stageFault.value = message.message;
  }
}

/** An SVG as pixels, its shorter side `mostPx`. Only a page can do this; as an image, it runs no script and loads nothing. */
async function drawSvg(hash: string, mostPx: number): Promise<ImageBitmap | null> {
  const file = await typedFile(hash);
  if (file === null) return null;
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = mostPx / Math.max(1, Math.min(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((width || mostPx) * scale));
    canvas.height = Math.max(1, Math.round((height || mostPx) * scale));
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await createImageBitmap(canvas);
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A file with its type, which the browser's own file system does not keep. */
async function typedFile(hash: string): Promise<Blob | null> {
  const file = await mediaFile(hash);
  const known = Object.values(project.peek().studio.media).find((entry) => entry.hash === hash);
  if (file === null || known === undefined) return file;
  return new Blob([file], { type: known.kind === 'drawing' ? 'image/svg+xml' : known.type });
}
