import { effect, signal } from '@preact/signals';
import { startWorker, studioConfig } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { mediaFile, onMediaCame } from '../media/media-store.ts';
import type { PackedPlan } from '../session/packed-plan.ts';
import { decided, planned, playhead, playing, project, shownPresetName } from '../session/session.ts';
import type { FromStage, Shown, ToStage } from './stage/stage-messages.ts';

/** The frame on the large canvas. */
export const shown = signal<Shown | null>(null);
/** The last error that prevents drawing; null if there is none. */
export const stageFault = signal<string | null>(null);

/** The place of the large picture; the small ones are named after their preset. */
export const LARGE = 'large';
/** The place where the large picture is drawn. A full-page view has its own place, and the small pictures are not updated behind it. */
export const largePlace = signal(LARGE);
/** Whether a full-page view shows its frame. */
export const isFullPageDrawn = signal(false);
/** During playback the small pictures update after this many frames, to leave time for the large one. */
const SMALL_EVERY = 15;
/** A hidden preview updates after this time without a change, so that it is current when it is shown. */
const UNSEEN_MS = 400;

/** Few browsers play a clip but cannot decode its frames. */
const elements = later(() => import('./element-frames.ts'));

let worker: Worker | null = null;
/** Whether the large picture is visible. */
let isSeen = true;
let unseen: ReturnType<typeof setTimeout> | undefined;

function send(message: ToStage, transfer: Transferable[] = []): void {
  worker!.postMessage(message, transfer);
}

/** Starts the drawing worker, and sends it plans and the playhead. */
export function startStage(): void {
  worker = startWorker('stage-worker');
  worker.onmessage = ({ data }: MessageEvent<FromStage>) => void answer(data);
  let sent: ReadonlyMap<string, PackedPlan> = new Map();
  effect(() => {
    const { plans } = planned.value;
    if (plans.size === 0) return;
    // A plan of two hours is large: send only new ones.
    const fresh = new Map([...plans].filter(([name, plan]) => sent.get(name) !== plan));
    sent = plans;
    send({ kind: 'plans', plans: fresh, presets: [...plans.keys()] });
  });
  onMediaCame((hash) => send({ kind: 'came', hash }));
  let last = -1;
  let asked: readonly unknown[] = [];
  effect(() => {
    const frame = playhead.value;
    const { plans, of } = planned.value;
    const isPlaying = playing.value;
    const isDueNow = of === decided.value;
    // An edit changes the picture only when it is planned.
    const place = largePlace.value;
    const asks = [frame, plans, isPlaying, shownPresetName.value, place];
    const isNew = asks.some((value, i) => value !== asked[i]);
    if (plans.size === 0 || !(isNew || isDueNow)) return;
    asked = asks;
    clearTimeout(unseen);
    const large = { place, preset: shownPresetName.value };
    // During a drag the picture changes with every display frame; the small ones follow at its end.
    const isDue = place === LARGE && (!isPlaying ? isDueNow : Math.abs(frame - last) >= SMALL_EVERY);
    if (isDue) last = frame;
    const small = isDue ? studioConfig.presets.map(({ name }) => ({ place: name, preset: name })) : [];
    const show = () => send({ kind: 'show', order: { frame, playing: isPlaying, places: [large, ...small] } });
    if (isSeen) show();
    else unseen = setTimeout(show, UNSEEN_MS);
  });
}

/** A canvas is new, resized or hidden (a scale of null): draws the current frame again. */
export function scaleCanvas(place: string, scale: number | null): void {
  if (place === largePlace.peek()) isSeen = scale !== null;
  if (scale === null) return;
  send({ kind: 'scale', place, scale });
  const small = studioConfig.presets.map(({ name }) => ({ place: name, preset: name }));
  const places = [{ place: largePlace.peek(), preset: shownPresetName.value }, ...small];
  send({ kind: 'show', order: { frame: playhead.value, playing: false, places } });
}

/** Transfers a canvas to the worker, which draws on it until the returned function is called. */
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
      const bitmap = await drawSvg(message.hash, message.maxPx);
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
      else if (message.shown.place === largePlace.peek()) isFullPageDrawn.value ||= message.shown.settled;
      stageFault.value = null;
      return;
    case 'failed':
      stageFault.value = message.message;
  }
}

/** Renders an SVG, its shorter side `maxPx`. Only a page can do this. As an image, it runs no script and loads nothing. */
async function drawSvg(hash: string, maxPx: number): Promise<ImageBitmap | null> {
  const file = await typedFile(hash);
  if (file === null) return null;
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = maxPx / Math.max(1, Math.min(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round((width || maxPx) * scale));
    canvas.height = Math.max(1, Math.round((height || maxPx) * scale));
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await createImageBitmap(canvas);
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A file with its type, which the browser's storage does not keep. */
async function typedFile(hash: string): Promise<Blob | null> {
  const file = await mediaFile(hash);
  const known = Object.values(project.peek().studio.media).find((entry) => entry.hash === hash);
  if (file === null || known === undefined) return file;
  return new Blob([file], { type: known.kind === 'drawing' ? 'image/svg+xml' : known.type });
}
