import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Frames, frameAt, secondsOf } from '../../time.ts';
import type { LaneName } from '../../timeline/lanes.ts';
import { takeDrops } from '../carry/drop-target.ts';
import type { Entry, EntryIndex } from '../document/entries.ts';
import { mediaOf } from '../document/project.ts';
import { droppedFiles, takeFiles } from '../files/take-files.ts';
import { reveals, timeRules } from '../session/edit-timeline.ts';
import { mediaFacts, mediaShelf, playhead, playing, project, rate, rendered, tierList } from '../session/session.ts';
import { endDrop, landingAt, TIMELINE_TARGET } from './act/drop-media.ts';
import { marquee } from './act/marquee.ts';
import { issueKinds, keepInSight, setScale } from './act/timeline-actions.ts';
import {
  focusedEntry,
  heldAt,
  revealedItem,
  roomPx,
  scale,
  scrollSeconds,
  scrollTop,
  selectedRefs,
  timelineLayout,
} from './act/timeline-model.ts';
import { cursorAt, menuAt, pointerDown } from './act/timeline-pointer.ts';
import { drawTimeline } from './draw/draw-timeline.ts';
import { cardImage, filmPicture, spacingFor, stripsCame, wave } from './draw/strips.ts';
import { type DrawnReveal, readColors, type TimelineColors } from './draw/timeline-drawing.ts';
import { xOf, zoomedAt } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

/** Increases when the page switches between dark and light. */
const themeChanges = signal(0);
const NO_ROW = '#8b8693';

/** The timeline, redrawn at most once a display frame. The playhead is an element over it. */
export function TimelineCanvas() {
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => watch(holder.current!, canvas.current!), []);
  return (
    <div class="tl-canvas" ref={holder}>
      <canvas ref={canvas} />
      <Playhead />
    </div>
  );
}

/** Handles pointers, wheels and dropped files. The list beside the canvas handles the keyboard. */
function listen(holder: HTMLElement, canvas: HTMLCanvasElement): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  holder.addEventListener('pointerdown', (event) => pointerDown(canvas, event), { signal });
  holder.addEventListener(
    'pointermove',
    (event) => {
      if (event.buttons === 0) canvas.style.cursor = cursorAt(event.offsetX, event.offsetY);
    },
    { signal },
  );
  // Chromium moves a touch to the nearest clickable element, here a lane's switch beside the canvas, unless the touched element is
  // clickable.
  holder.addEventListener('click', () => {}, { signal });
  holder.addEventListener(
    'contextmenu',
    (event) => {
      event.preventDefault();
      // A resting finger starts a drag; its menu opens on release.
      if ((event as PointerEvent).pointerType !== 'touch') menuAt(canvas, { x: event.clientX, y: event.clientY });
    },
    { signal },
  );
  holder.addEventListener('wheel', onWheel, { signal, passive: false });
  holder.addEventListener(
    'dragover',
    (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      const landing = landingAt({ x: event.clientX, y: event.clientY }, 0, event);
      if (landing !== null) heldAt.value = frameAt(landing.start, rate.value);
    },
    { signal },
  );
  holder.addEventListener('dragleave', endDrop, { signal });
  holder.addEventListener(
    'drop',
    (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Marks the drop as handled for other listeners.
      event.preventDefault();
      const landing = landingAt({ x: event.clientX, y: event.clientY }, 0, event);
      endDrop();
      void droppedFiles(event.dataTransfer).then((files) => takeFiles(files, landing));
    },
    { signal },
  );
  return () => ending.abort();
}

/** A separate element, so that a moving playhead redraws nothing. */
function Playhead() {
  const line = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      effect(() => {
        const x = xOf(secondsOf(playhead.value as Frames, rate.value), scale.value);
        // The panel may be gone before its effects.
        if (line.current === null) return;
        const { style } = line.current;
        style.transform = `translateX(${x}px)`;
        style.visibility = x < -1 || x > roomPx.value.width ? 'hidden' : 'visible';
      }),
    [],
  );
  return (
    <div class="tl-playhead" ref={line}>
      <i />
    </div>
  );
}

function watch(holder: HTMLElement, canvas: HTMLCanvasElement): () => void {
  const stopListening = listen(holder, canvas);
  const stopTaking = takeDrops(TIMELINE_TARGET);
  const context = canvas.getContext('2d')!;
  let request = 0;
  const draw = (): void => {
    request = 0;
    const { width, height } = roomPx.peek();
    if (width === 0) return;
    drawTimeline(context, drawingOf(holder, width, height));
  };
  const stopDrawing = effect(() => {
    // Subscribe to everything that changes the drawing.
    for (const changing of [
      timelineLayout,
      reveals,
      scale,
      scrollTop,
      roomPx,
      selectedRefs,
      heldAt,
      marquee,
      stripsCame,
      focusedEntry,
      themeChanges,
      rendered,
    ]) {
      void changing.value;
    }
    void tierList.value;
    void mediaShelf.value;
    void issueKinds.value;
    if (request === 0) request = requestAnimationFrame(draw);
  });
  const stopFollowing = effect(() => {
    if (playing.value) keepInSight(playhead.value);
  });
  const sized = new ResizeObserver(() => {
    const { width, height } = holder.getBoundingClientRect();
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    roomPx.value = { width, height };
    scrollTop.value = Math.min(scrollTop.value, Math.max(0, timelineLayout.value.height + RULER_PX - height));
  });
  sized.observe(holder);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const turn = () => {
    themeChanges.value += 1;
  };
  dark.addEventListener('change', turn);
  const themed = new MutationObserver(turn);
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    cancelAnimationFrame(request);
    stopListening();
    stopTaking();
    stopDrawing();
    stopFollowing();
    sized.disconnect();
    themed.disconnect();
    dark.removeEventListener('change', turn);
  };
}

let known: { readonly ofTheme: number; readonly colors: TimelineColors } | null = null;

/** Reading the colours forces a style computation: done once for each theme. */
function colorsOf(holder: HTMLElement): TimelineColors {
  const ofTheme = themeChanges.peek();
  if (known?.ofTheme !== ofTheme) known = { ofTheme, colors: readColors(holder) };
  return known.colors;
}

function drawingOf(holder: HTMLElement, width: number, height: number) {
  const selected = new Map<string, Set<number>>();
  for (const { lane, index } of selectedRefs.peek()) {
    selected.set(lane, (selected.get(lane) ?? new Set()).add(index));
  }
  return {
    width,
    height,
    layout: timelineLayout.peek(),
    scale: scale.peek(),
    scrollTop: scrollTop.peek(),
    rules: timeRules.peek(),
    reveals: reveals.peek(),
    colors: colorsOf(holder),
    isSelected: ({ lane, index }: EntryIndex) => selected.get(lane)?.has(index) === true,
    hasSelected: (lane: LaneName) => selected.has(lane),
    focused: focusedEntry.peek(),
    issues: issueKinds.peek(),
    heldAt: heldAt.peek(),
    rendered: rendered.peek(),
    marquee: marquee.peek(),
    media: (field: string) => mediaOf(project.peek(), field) ?? null,
    reveal: drawnReveal,
    film: filmPicture,
    spacing: spacingFor,
    wave,
    still: cardImage,
  };
}

function drawnReveal(tile: Entry): DrawnReveal {
  const { item, row } = revealedItem(tile, tierList.peek());
  const facts = item?.file_field === undefined ? undefined : mediaFacts.peek().get(item.file_field);
  return {
    name: item?.name ?? tile.tier_item_id ?? '',
    letter: [...(row?.label ?? '·')].slice(0, 2).join(''),
    color: row?.color ?? NO_ROW,
    picture: facts === undefined ? null : cardImage(facts.hash, facts.kind),
  };
}

/** Ctrl zooms at the cursor; sideways, or with Shift, scrolls in time; otherwise scrolls the lines. */
function onWheel(event: WheelEvent): void {
  event.preventDefault();
  const { left } = (event.currentTarget as HTMLElement).getBoundingClientRect();
  if (event.ctrlKey || event.metaKey || event.altKey) {
    setScale(zoomedAt(scale.value, event.clientX - left, Math.exp(-event.deltaY * 0.0022)));
    return;
  }
  const room = Math.max(0, timelineLayout.value.height + RULER_PX - roomPx.value.height);
  const sideways = event.deltaX !== 0 ? event.deltaX : event.shiftKey || room === 0 ? event.deltaY : 0;
  if (sideways !== 0) scrollSeconds.value = Math.max(0, scrollSeconds.value + sideways / scale.value.pxPerSecond);
  else scrollTop.value = Math.min(room, Math.max(0, scrollTop.value + event.deltaY));
}
