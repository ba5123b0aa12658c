import { computed, effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { startWorker, studioConfig } from '../kit/assets.ts';
import { later } from '../kit/later.tsx';
import { onMediaCame } from '../media/media-store.ts';
import { typedFile } from '../media/typed-file.ts';
import { type PackedPlan, PlanChannel } from '../session/packed-plan.ts';
import { reportFault, showFaults } from '../session/preview-faults.ts';
import { planned, playhead, playing, shownAtRest, shownPresetName } from '../session/session.ts';
import type { FromCanvases, Shown, ShowOrder, ToCanvases } from './canvas/canvases.ts';

/** The frame on the large canvas. */
export const shown = signal<Shown | null>(null);

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
const elements = later(() => import('./page-pictures.ts'));
const drawings = later(() => import('../media/draw-svg.ts'));

let worker: Worker | null = null;
/** How many orders have been sent; their numbers start at 1. */
let orders = 0;
/** The first order with the latest plans, and the last finished one. */
const planOrder = signal(0);
const doneOrder = signal(0);
/** Whether the latest plans are on the canvas. True while it is hidden. */
export const isPlanDrawn = computed(() => doneOrder.value >= planOrder.value);
/** Whether the large picture is visible. */
let isSeen = true;
let unseen: ReturnType<typeof setTimeout> | undefined;

function send(message: ToCanvases, transfer: Transferable[] = []): void {
  worker!.postMessage(message, transfer);
}

function order(shown: Omit<ShowOrder, 'number'>): void {
  orders += 1;
  send({ kind: 'show', order: { ...shown, number: orders } });
}

/** Starts the drawing worker, and sends it plans and the playhead. */
export function startCanvases(): void {
  worker = startWorker('canvas-worker');
  showFaults(worker);
  worker.onmessage = ({ data }: MessageEvent<FromCanvases>) => {
    answer(data).catch((error: unknown) => {
      reportFault(error);
      // The worker would wait for the reply forever.
      if (data.kind === 'ask_file') send({ kind: 'file', hash: data.hash, file: null });
      else if ('ask' in data) send({ kind: 'picture', ask: data.ask, bitmap: null });
    });
  };
  let sent: ReadonlyMap<string, PackedPlan> = new Map();
  const channel = new PlanChannel();
  effect(() => {
    const { plans } = planned.value;
    if (plans.size === 0) return;
    // A plan of two hours is large: send only new ones.
    const fresh = [...plans].filter(([name, plan]) => sent.get(name) !== plan);
    sent = plans;
    const parts = new Map(fresh.map(([name, plan]) => [name, channel.sent(name, plan)]));
    send({ kind: 'plans', plans: parts, presets: [...plans.keys()] });
  });
  onMediaCame((hash) => send({ kind: 'came', hash }));
  let last = -1;
  let asked: readonly unknown[] = [];
  effect(() => {
    const frame = playhead.value;
    const { plans, of } = planned.value;
    const isPlaying = playing.value;
    const isDueNow = of === shownAtRest.value;
    // An edit changes the picture only when it is planned.
    const place = largePlace.value;
    const asks = [plans, frame, isPlaying, shownPresetName.value, place];
    const isNew = asks.some((value, i) => value !== asked[i]);
    if (plans.size === 0 || !(isNew || isDueNow)) return;
    const isPlanNew = plans !== asked[0];
    asked = asks;
    // Until the worker answers, the canvas has another frame than the one asked for.
    if (isNew && !isPlaying && shown.peek()?.settled) shown.value = { ...shown.peek()!, settled: false };
    clearTimeout(unseen);
    const large = { place, preset: shownPresetName.value };
    // During a drag the picture changes with every display frame; the small ones follow at its end.
    const isDue = place === LARGE && (!isPlaying ? isDueNow : Math.abs(frame - last) >= SMALL_EVERY);
    if (isDue) last = frame;
    const small = isDue ? studioConfig.presets.map(({ name }) => ({ place: name, preset: name })) : [];
    const show = () => order({ frame, playing: isPlaying, places: [large, ...small] });
    if (!isSeen) {
      unseen = setTimeout(show, UNSEEN_MS);
      return;
    }
    show();
    if (isPlanNew) planOrder.value = orders;
  });
}

/** A canvas is new, resized or hidden (a scale of null): draws the current frame again. */
function scaleCanvas(place: string, scale: number | null): void {
  if (place === largePlace.peek()) isSeen = scale !== null;
  if (scale === null) return;
  send({ kind: 'scale', place, scale });
  const small = studioConfig.presets.map(({ name }) => ({ place: name, preset: name }));
  const places = [{ place: largePlace.peek(), preset: shownPresetName.value }, ...small];
  order({ frame: playhead.value, playing: false, places });
}

/** Transfers a canvas to the worker, which draws on it until the returned function is called. */
function attachCanvas(place: string, canvas: HTMLCanvasElement): () => void {
  const offscreen = canvas.transferControlToOffscreen();
  send({ kind: 'attach', place, canvas: offscreen }, [offscreen]);
  return () => send({ kind: 'detach', place });
}

async function answer(message: FromCanvases): Promise<void> {
  switch (message.kind) {
    case 'ask_file':
      return send({ kind: 'file', hash: message.hash, file: await typedFile(message.hash) });
    case 'ask_drawing': {
      const { ask, hash, maxPx } = message;
      const bitmap = await (await drawings()).drawSvg(hash, await typedFile(hash), maxPx);
      return send({ kind: 'picture', ask, bitmap }, bitmap === null ? [] : [bitmap]);
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
      return;
    case 'done':
      doneOrder.value = message.number;
      return;
    case 'failed':
      reportFault(message.message, message.hash);
  }
}

/** Sizes change in steps, so that resizing the window does not reallocate the canvas at every pixel. */
const STEPS = 8;

/** A canvas that shows frames, no finer than it is displayed. */
export function FrameCanvas({
  place,
  width,
  label,
}: {
  readonly place: string;
  readonly width: number;
  readonly label: string;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const plannedWidth = useRef(width);
  plannedWidth.current = width;
  useEffect(() => {
    // A canvas can be transferred only once. It is created here, because Preact may reuse an element of the markup.
    const canvas = document.createElement('canvas');
    // A canvas with a visible label beside it needs no accessible name.
    if (label === '') canvas.setAttribute('aria-hidden', 'true');
    else {
      canvas.setAttribute('role', 'img');
      canvas.setAttribute('aria-label', label);
    }
    holder.current!.append(canvas);
    const detach = attachCanvas(place, canvas);
    const fit = () => {
      const seen = canvas.getBoundingClientRect().width * devicePixelRatio;
      scaleCanvas(place, seen === 0 ? null : Math.min(1, Math.ceil((seen / plannedWidth.current) * STEPS) / STEPS));
    };
    const watching = new ResizeObserver(fit);
    watching.observe(canvas);
    return () => {
      watching.disconnect();
      detach();
      canvas.remove();
    };
  }, [place, label]);
  return <div class="frame-canvas" ref={holder} />;
}
