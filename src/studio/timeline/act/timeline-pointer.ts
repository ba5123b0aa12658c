import { batch } from '@preact/signals';
import { isLocked } from '../../document/lane-switches.ts';
import { type DragSession, type Point, startDrag } from '../../kit/drag-session.ts';
import { openMenu } from '../../kit/open-menu.ts';
import { reveals, timeRules } from '../../session/edit-timeline.ts';
import { mediaShelf } from '../../session/session.ts';
import { pinched } from '../view/time-scale.ts';
import { type Hit, hitAt, MOUSE, type Reach, RULER_PX } from '../view/timeline-layout.ts';
import { dragFor } from './entry-drag.ts';
import { setScale } from './timeline-actions.ts';
import {
  heldAt,
  isDragging,
  isSelected,
  reachOf,
  roomPx,
  scale,
  scrollSeconds,
  scrollTop,
  select,
  timelineLayout,
} from './timeline-model.ts';

/** A longer movement is not a click, also after a finger has rested. */
const START_PX = 4;
/** Distance from an edge at which the timeline scrolls, and pixels per display frame. */
const EDGE_PX = 48;
const RUN_PX = 12;

/** The cursor at a position, which shows what a press would do. */
export function cursorAt(x: number, y: number): string {
  const hit = hitOf({ x, y }, MOUSE);
  if (hit.kind === 'ruler') return 'col-resize';
  if (hit.kind === 'nothing') return 'default';
  if (isLocked(mediaShelf.value.lanes, hit.box.ref.lane, hit.box.placed.entry)) return 'default';
  if (hit.part === 'body') return 'grab';
  return hit.part === 'volume' ? 'ns-resize' : 'ew-resize';
}

function hitOf({ x, y }: Point, reach: Reach): Hit {
  const at = { x, y, scrollY: scrollTop.value };
  return hitAt(timelineLayout.value, at, scale.value, {
    rules: timeRules.value,
    selected: isSelected,
    reach,
    reveals: reveals.value,
  });
}

/** The tracked pointer, or the last of two that pinch. */
let following: DragSession | null = null;

/** Tracks a pointer from a press on the canvas; a second finger turns it into a pinch. */
export function pointerDown(canvas: HTMLElement, event: PointerEvent): void {
  if (event.button !== 0) return;
  const before = following;
  if (before === null) followOne(canvas, event);
  else if (event.pointerType === 'touch' && before.pointerId !== event.pointerId) {
    const { x, y } = before.at();
    before.cancel();
    followPinch(canvas, event, { id: before.pointerId, x, y });
  }
}

/** Opens the menu of the entry at a point of the window, else that of its lane. */
export function menuAt(canvas: HTMLElement, at: Point, reach: Reach = MOUSE): void {
  const hit = hitOf(placeIn(canvas)(at), reach);
  if (hit.kind === 'entry') {
    if (!isSelected(hit.box.ref)) select([hit.box.ref]);
    openMenu({ kind: 'entries' }, at);
  } else if (hit.kind === 'nothing' && hit.lane !== null) openMenu({ kind: 'lane', lane: hit.lane }, at);
}

/** Converts window to canvas coordinates. */
function placeIn(canvas: HTMLElement): (at: Point) => Point {
  const { left, top } = canvas.getBoundingClientRect();
  return ({ x, y }) => ({ x: x - left, y: y - top });
}

function placeOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY };
}

/** One pointer: a click, a drag, or, if a finger moves at once, a scroll. */
function followOne(canvas: HTMLElement, event: PointerEvent): void {
  const inCanvas = placeIn(canvas);
  const begin = inCanvas(placeOf(event));
  const hit = hitOf(begin, reachOf(event));
  const drag = dragFor(hit, begin, event);
  const scrolled = { seconds: scrollSeconds.value, top: scrollTop.value };
  const isRuler = hit.kind === 'ruler';
  let isMoving = isRuler;
  let applied: { readonly event: PointerEvent; readonly seconds: number } | null = null;
  following = startDrag(event, {
    from: isRuler ? 'down' : isHandle(hit) ? 'moved' : 'held',
    start() {
      drag.lift();
      return true;
    },
    scroll(at) {
      const { x } = inCanvas(at);
      const by = x > roomPx.value.width - EDGE_PX ? RUN_PX : x < EDGE_PX ? -RUN_PX : 0;
      if (applied !== null && by !== 0)
        scrollSeconds.value = Math.max(0, scrollSeconds.value + by / scale.value.pxPerSecond);
    },
    move(at, moved) {
      const place = inCanvas(at);
      isMoving ||= Math.hypot(place.x - begin.x, place.y - begin.y) >= START_PX;
      // Nothing to do if neither the pointer nor the timeline has moved.
      if (!isMoving || (applied?.event === moved && applied.seconds === scrollSeconds.value)) return;
      applied = { event: moved, seconds: scrollSeconds.value };
      isDragging.value = !isRuler;
      // Batched, so that snap line and entries change together.
      batch(() => drag.move(place, moved));
    },
    pan: (at) => panTo(scrolled, begin, inCanvas(at)),
    over() {
      following = null;
      heldAt.value = null;
      isDragging.value = false;
    },
    click: () => drag.click(),
    press: (at) => menuAt(canvas, at, reachOf(event)),
    end() {
      drag.end(true);
      if (!isMoving) drag.click();
    },
    cancel: () => drag.end(false),
  });
}

/** Handles of a selected entry are small and follow a finger at once. */
function isHandle(hit: Hit): boolean {
  return hit.kind === 'entry' && hit.part !== 'body' && hit.part !== 'volume' && isSelected(hit.box.ref);
}

function panTo(from: { readonly seconds: number; readonly top: number }, begin: Point, to: Point): void {
  const room = Math.max(0, timelineLayout.value.height + RULER_PX - roomPx.value.height);
  scrollSeconds.value = Math.max(0, from.seconds - (to.x - begin.x) / scale.value.pxPerSecond);
  scrollTop.value = Math.min(room, Math.max(0, from.top - (to.y - begin.y)));
}

/** Two fingers: the time between them stays between them. */
function followPinch(canvas: HTMLElement, event: PointerEvent, other: Point & { readonly id: number }): void {
  const inCanvas = placeIn(canvas);
  const ended = new AbortController();
  const on = { signal: ended.signal };
  const places = new Map<number, Point>([
    [other.id, other],
    [event.pointerId, placeOf(event)],
  ]);
  const fingers = () => [...places.values()].map(inCanvas) as [Point, Point];
  const begin = { scale: scale.value, fingers: fingers() };
  const finish = (): void => {
    ended.abort();
    following = null;
  };
  const up = ({ pointerId }: PointerEvent) => places.has(pointerId) && finish();
  addEventListener(
    'pointermove',
    (moved) => {
      if (!places.has(moved.pointerId)) return;
      places.set(moved.pointerId, placeOf(moved));
      setScale(pinched(begin.scale, begin.fingers, fingers()));
    },
    on,
  );
  addEventListener('pointerup', up, on);
  addEventListener('pointercancel', up, on);
  following = { pointerId: event.pointerId, at: () => places.get(event.pointerId)!, cancel: finish };
}
