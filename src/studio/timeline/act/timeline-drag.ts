import type { Frames } from '../../../time.ts';
import { seek } from '../../preview/transport.ts';
import { beginGesture, playhead, project, type RunningGesture } from '../../session.ts';
import { moveEntries } from '../edit/move-entries.ts';
import { slotOf, toMicros } from '../edit/slot.ts';
import { type EntryRef, entryAt, sameRef, type TimelineData, withEntry } from '../edit/timeline-data.ts';
import { trimEntry } from '../edit/trim-entry.ts';
import { snapPlaces, snapped } from '../view/snapping.ts';
import { secondsAt } from '../view/time-scale.ts';
import { type EntryBox, type EntryPart, gainAtShare, type Hit, hitAt } from '../view/timeline-layout.ts';
import { LABELS } from './timeline-actions.ts';
import {
  heldAt,
  layout,
  putLanes,
  roomPx,
  rules,
  scale,
  scrollSeconds,
  scrollTop,
  select,
  selectedRefs,
  snapping,
  type TimelineChange,
  timeline,
} from './timeline-model.ts';

/** A drag begins after this way, so that a click stays one. */
const START_PX = 4;
/** A finger has to rest for so long before it lifts something; until then it scrolls. */
const HOLD_MS = 250;
/** So near to an edge the timeline runs along, by so many pixels a frame of the display. */
const EDGE_PX = 48;
const RUN_PX = 12;

/** What a pointer would do at a place: what the cursor shows. */
export function cursorAt(x: number, y: number): string {
  const hit = hitOf(x, y);
  if (hit.kind === 'ruler') return 'col-resize';
  if (hit.kind === 'nothing') return 'default';
  if (hit.part === 'body') return 'grab';
  return hit.part === 'volume' ? 'ns-resize' : 'ew-resize';
}

export function hitOf(x: number, y: number): Hit {
  const selected = (ref: EntryRef) => selectedRefs.value.some((other) => sameRef(other, ref));
  return hitAt(layout.value, { x, y, scrollY: scrollTop.value }, scale.value, { rules: rules.value, selected });
}

/** Takes a pointer from where it goes down to where it comes up. */
export function beginDrag(canvas: HTMLElement, event: PointerEvent): void {
  if (event.button !== 0) return;
  const { left, top } = canvas.getBoundingClientRect();
  const at = (moved: PointerEvent) => ({ x: moved.clientX - left, y: moved.clientY - top });
  const begin = at(event);
  const hit = hitOf(begin.x, begin.y);
  const drag = dragFor(hit, begin, event);
  const isTouch = event.pointerType === 'touch';
  let isLifted = !isTouch || hit.kind === 'ruler';
  let isMoving = false;
  let last = event;
  const from = { seconds: scrollSeconds.value, top: scrollTop.value };
  const hold = setTimeout(() => {
    isLifted = true;
  }, HOLD_MS);
  let running = 0;

  const follow = (moved: PointerEvent): void => {
    const place = at(moved);
    const far = Math.hypot(place.x - begin.x, place.y - begin.y) >= START_PX;
    if (!isLifted && far) {
      // A finger that moves at once pans.
      clearTimeout(hold);
      scrollSeconds.value = Math.max(0, from.seconds - (place.x - begin.x) / scale.value.pxPerSecond);
      scrollTop.value = Math.max(0, from.top - (place.y - begin.y));
      return;
    }
    isMoving ||= far || hit.kind === 'ruler';
    if (isMoving) drag.move(place, moved);
  };
  const run = (): void => {
    const { x } = at(last);
    const { width } = roomPx.value;
    const by = x > width - EDGE_PX ? RUN_PX : x < EDGE_PX ? -RUN_PX : 0;
    if (isMoving && isLifted && by !== 0 && (by > 0 || scrollSeconds.value > 0)) {
      scrollSeconds.value = Math.max(0, scrollSeconds.value + by / scale.value.pxPerSecond);
      drag.move(at(last), last);
    }
    running = requestAnimationFrame(run);
  };
  const onMove = (moved: PointerEvent): void => {
    if (moved.pointerId !== event.pointerId) return;
    last = moved;
    follow(moved);
  };
  const finish = (keep: boolean): void => {
    clearTimeout(hold);
    cancelAnimationFrame(running);
    heldAt.value = null;
    removeEventListener('pointermove', onMove);
    removeEventListener('pointerup', onUp);
    removeEventListener('pointercancel', onCancel);
    removeEventListener('keydown', onEscape, true);
    if (isMoving) drag.end(keep);
    else if (keep) drag.click();
  };
  const onUp = (up: PointerEvent): void => {
    if (up.pointerId === event.pointerId) finish(true);
  };
  const onCancel = (up: PointerEvent): void => {
    if (up.pointerId === event.pointerId) finish(false);
  };
  const onEscape = (key: KeyboardEvent): void => {
    if (key.key !== 'Escape') return;
    key.preventDefault();
    key.stopPropagation();
    finish(false);
  };
  addEventListener('pointermove', onMove);
  addEventListener('pointerup', onUp);
  addEventListener('pointercancel', onCancel);
  addEventListener('keydown', onEscape, true);
  if (hit.kind === 'ruler') drag.move(begin, event);
  running = requestAnimationFrame(run);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  move(to: Point, event: PointerEvent): void;
  end(keep: boolean): void;
  /** It went up where it came down. */
  click(): void;
}

function frameUnder(x: number): number {
  const { rate } = rules.value;
  return (secondsAt(x, scale.value) * rate.num) / rate.den;
}

function dragFor(hit: Hit, begin: Point, event: PointerEvent): Drag {
  const adds = event.shiftKey || event.ctrlKey || event.metaKey;
  if (hit.kind === 'ruler') {
    return { move: ({ x }) => seek(Math.floor(frameUnder(x) + 1e-6)), end: () => {}, click: () => {} };
  }
  if (hit.kind === 'nothing') {
    const clear = () => {
      if (!adds) select([]);
      seek(Math.floor(frameUnder(begin.x) + 1e-6));
    };
    return { move: ({ x }) => seek(Math.floor(frameUnder(x) + 1e-6)), end: () => {}, click: clear };
  }
  const { ref } = hit.box;
  const wasSelected = selectedRefs.value.some((other) => sameRef(other, ref));
  if (!wasSelected && !adds) select([ref]);
  const drag = entryDrag(hit.box, hit.part, begin);
  return {
    ...drag,
    move(to, moved) {
      if (!wasSelected && adds && !selectedRefs.value.some((other) => sameRef(other, ref))) select([ref], true);
      drag.move(to, moved);
    },
    click() {
      if (adds) select([ref], true);
      else select([ref]);
    },
  };
}

/** Dragging an entry or a part of it: one gesture, one step of undo. */
function entryDrag(box: EntryBox, part: EntryPart, begin: Point): Drag {
  const gesture = beginGesture();
  const before = timeline.value;
  const { ref } = box;
  const grabbed = frameUnder(begin.x);
  if (part === 'start' || part === 'end') {
    const edge = slotOf(before, ref, rules.value)[part];
    return changing(gesture, before, `Trim ${LABELS[ref.lane]}`, (to, event) => {
      const by = held([edge], frameUnder(to.x) - grabbed, [ref], event);
      return (data, rule) => trimEntry(data, ref, { edge: part, to: (edge + by) as Frames }, rule);
    });
  }
  if (part === 'body') {
    let refs: readonly EntryRef[] | null = null;
    return changing(gesture, before, 'Move', (to, event) => {
      refs ??= selectedRefs.value.length > 0 ? selectedRefs.value : [ref];
      const edges = refs.flatMap((each) => {
        const { start, end } = slotOf(before, each, rules.value);
        return [start, end];
      });
      const by = held(edges, frameUnder(to.x) - grabbed, refs, event);
      const moving = refs;
      return (data, rule) => moveEntries(data, moving, by, rule);
    });
  }
  if (part === 'volume') {
    return changing(gesture, before, 'Change volume', (to) => {
      const isPercent = project.value.settings.volume_unit === 'percent';
      const share = (box.y + box.height - (to.y - begin.y + volumeY(box))) / box.height;
      const gain = Math.round(gainAtShare(share) * 100) / 100;
      return (data) => withEntry(data, ref, { ...entryAt(data, ref), volume: isPercent ? gain * 100 : gain });
    });
  }
  return changing(gesture, before, part === 'fade_in' ? 'Fade in' : 'Fade out', (to) => {
    const { duration = 0 } = entryAt(before, ref)!;
    const length = duration || box.width / scale.value.pxPerSecond;
    const px = part === 'fade_in' ? to.x - box.x : box.x + box.width - to.x;
    const seconds = toMicros(Math.min(length, Math.max(0, Math.round((px / scale.value.pxPerSecond) * 20) / 20)));
    return (data) => withEntry(data, ref, { ...entryAt(data, ref), [part]: seconds });
  });
}

function volumeY(box: EntryBox): number {
  const volume = box.placed.entry.volume ?? 1;
  const gain = project.value.settings.volume_unit === 'percent' ? volume / 100 : volume;
  const share = gain <= 1 ? (gain * 2) / 3 : 2 / 3 + Math.log2(gain) / 6;
  return box.y + box.height - share * box.height;
}

/** Whole frames by which to move, held at places where that is wanted; Alt lets go. */
function held(edges: readonly number[], by: number, except: readonly EntryRef[], event: PointerEvent): number {
  const whole = Math.round(by);
  if (!snapping.value || event.altKey) {
    heldAt.value = null;
    return whole;
  }
  const { rate } = rules.value;
  const framesASecond = rate.num / rate.den;
  const places = snapPlaces(timeline.value, rules.value, { except, playhead: playhead.value as Frames });
  const found = snapped(edges, whole, places, { framePx: scale.value.pxPerSecond / framesASecond, framesASecond });
  heldAt.value = found.at;
  return found.by;
}

function changing(
  gesture: RunningGesture,
  before: TimelineData,
  label: string,
  changeFor: (to: Point, event: PointerEvent) => TimelineChange,
): Drag {
  return {
    move(to, event) {
      const after = changeFor(to, event)(before, rules.value);
      gesture.change(label, (draft) => putLanes(draft.timeline_data as never, before, after));
    },
    end: (keep) => (keep ? gesture.end() : gesture.cancel()),
    click: () => {},
  };
}
