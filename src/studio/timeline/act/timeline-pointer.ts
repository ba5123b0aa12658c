import { batch } from '@preact/signals';
import { rules } from '../../session/timeline.ts';
import { pinched } from '../view/time-scale.ts';
import { type Hit, hitAt, MOUSE, type Reach, RULER_PX } from '../view/timeline-layout.ts';
import { dragFor, type Point } from './entry-drag.ts';
import { setScale } from './timeline-actions.ts';
import {
  heldAt,
  isDragging,
  isSelected,
  layout,
  reachOf,
  roomPx,
  scale,
  scrollSeconds,
  scrollTop,
} from './timeline-model.ts';

/** A drag begins after this way, so that a click stays one. */
const START_PX = 4;
/** A finger has to rest for so long before it lifts something; until then it scrolls. */
const HOLD_MS = 250;
const HOLD_STRAY_PX = 8;
/** So near to an edge the timeline runs along, by so many pixels a frame of the display. */
const EDGE_PX = 48;
const RUN_PX = 12;

/** What a pointer would do at a place: what the cursor shows. */
export function cursorAt(x: number, y: number): string {
  const hit = hitOf({ x, y }, MOUSE);
  if (hit.kind === 'ruler') return 'col-resize';
  if (hit.kind === 'nothing') return 'default';
  if (hit.part === 'body') return 'grab';
  return hit.part === 'volume' ? 'ns-resize' : 'ew-resize';
}

function hitOf({ x, y }: Point, reach: Reach): Hit {
  const at = { x, y, scrollY: scrollTop.value };
  return hitAt(layout.value, at, scale.value, { rules: rules.value, selected: isSelected, reach });
}

/** What the one pointer does that is followed. */
let following: { readonly id: number; readonly at: () => Point; breakOff(): void } | null = null;

/** A pointer went down on the canvas: it is followed until it comes up; a second finger makes it a pinch. */
export function pointerDown(canvas: HTMLElement, event: PointerEvent): void {
  if (event.button !== 0) return;
  const isTouch = event.pointerType === 'touch';
  if (following !== null) {
    if (!isTouch || following.id === event.pointerId) return;
    const other = { id: following.id, at: following.at() };
    following.breakOff();
    followPinch(canvas, event, other);
  } else followOne(canvas, event, isTouch);
}

function placeIn(canvas: HTMLElement): (event: PointerEvent) => Point {
  const { left, top } = canvas.getBoundingClientRect();
  return (event) => ({ x: event.clientX - left, y: event.clientY - top });
}

/** One pointer: a click, a drag of what is under it, or, where a finger moves at once, a look elsewhere. */
function followOne(canvas: HTMLElement, event: PointerEvent, isTouch: boolean): void {
  const at = placeIn(canvas);
  const begin = at(event);
  const hit = hitOf(begin, reachOf(event));
  const drag = dragFor(hit, begin, event);
  const ended = new AbortController();
  const on = { signal: ended.signal };
  const from = { seconds: scrollSeconds.value, top: scrollTop.value };
  let state: 'down' | 'panning' | 'moving' = 'down';
  let isLifted = !isTouch || hit.kind === 'ruler' || isHandle(hit);
  let last = event;
  let running = 0;
  const hold = setTimeout(() => {
    if (state !== 'down' || isLifted) return;
    isLifted = true;
    drag.lift();
    navigator.vibrate?.(10);
  }, HOLD_MS);

  const follow = (): void => {
    const place = at(last);
    const far = Math.hypot(place.x - begin.x, place.y - begin.y);
    if (state === 'down' && far >= (isLifted ? START_PX : HOLD_STRAY_PX)) {
      state = isLifted ? 'moving' : 'panning';
      if (isLifted) drag.lift();
      isDragging.value = isLifted;
    }
    // What is held, what is changed: told together.
    if (state === 'moving') batch(() => drag.move(place, last));
    if (state === 'panning') panTo(from, begin, place);
  };
  const run = (): void => {
    const { x } = at(last);
    const by = x > roomPx.value.width - EDGE_PX ? RUN_PX : x < EDGE_PX ? -RUN_PX : 0;
    if (state === 'moving' && by !== 0 && (by > 0 || scrollSeconds.value > 0)) {
      batch(() => {
        scrollSeconds.value = Math.max(0, scrollSeconds.value + by / scale.value.pxPerSecond);
        drag.move(at(last), last);
      });
    }
    running = requestAnimationFrame(run);
  };
  const finish = (keep: boolean): void => {
    clearTimeout(hold);
    cancelAnimationFrame(running);
    ended.abort();
    following = null;
    heldAt.value = null;
    isDragging.value = false;
    drag.end(keep);
    if (keep && state === 'down') drag.click();
  };
  const own = (run: (own: PointerEvent) => void) => (other: PointerEvent) => {
    if (other.pointerId === event.pointerId) run(other);
  };
  addEventListener(
    'pointermove',
    own((moved) => {
      last = moved;
      follow();
    }),
    on,
  );
  addEventListener(
    'pointerup',
    own(() => finish(true)),
    on,
  );
  addEventListener(
    'pointercancel',
    own(() => finish(false)),
    on,
  );
  addEventListener(
    'keydown',
    (key) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      finish(false);
    },
    { ...on, capture: true },
  );
  following = { id: event.pointerId, at: () => at(last), breakOff: () => finish(false) };
  if (hit.kind === 'ruler') {
    state = 'moving';
    drag.move(begin, event);
  }
  running = requestAnimationFrame(run);
}

/** What is small and already in hand follows a finger at once. */
function isHandle(hit: Hit): boolean {
  return hit.kind === 'entry' && hit.part !== 'body' && hit.part !== 'volume' && isSelected(hit.box.ref);
}

function panTo(from: { readonly seconds: number; readonly top: number }, begin: Point, to: Point): void {
  const room = Math.max(0, layout.value.height + RULER_PX - roomPx.value.height);
  scrollSeconds.value = Math.max(0, from.seconds - (to.x - begin.x) / scale.value.pxPerSecond);
  scrollTop.value = Math.min(room, Math.max(0, from.top - (to.y - begin.y)));
}

/** Two fingers: what is between them stays there while they spread. */
function followPinch(
  canvas: HTMLElement,
  event: PointerEvent,
  other: { readonly id: number; readonly at: Point },
): void {
  const at = placeIn(canvas);
  const ended = new AbortController();
  const on = { signal: ended.signal };
  const places = new Map([
    [other.id, other.at],
    [event.pointerId, at(event)],
  ]);
  const fingers = () => [...places.values()] as [Point, Point];
  const begin = { scale: scale.value, fingers: fingers() };
  const finish = (ending: PointerEvent): void => {
    if (!places.has(ending.pointerId)) return;
    ended.abort();
    following = null;
  };
  addEventListener(
    'pointermove',
    (moved) => {
      if (!places.has(moved.pointerId)) return;
      places.set(moved.pointerId, at(moved));
      setScale(pinched(begin.scale, begin.fingers, fingers()));
    },
    on,
  );
  addEventListener('pointerup', finish, on);
  addEventListener('pointercancel', finish, on);
  following = { id: event.pointerId, at: () => places.get(event.pointerId)!, breakOff: () => ended.abort() };
}
