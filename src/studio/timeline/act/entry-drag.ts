import type { Frames } from '../../../time.ts';
import { LANES } from '../../../timeline/lanes.ts';
import { type EntryIndex, entryAt, slotOf, toMicros, withEntry } from '../../document/entries.ts';
import { LANE_LOOKS } from '../../document/lane-looks.ts';
import { moveEntries } from '../../document/move-entries.ts';
import type { TimelineData } from '../../document/project.ts';
import { rippleTrim, trimEntry } from '../../document/trim-entry.ts';
import { gainAt, levelsOf, volumeOf } from '../../document/volume-points.ts';
import type { Point } from '../../kit/drag-session.ts';
import { putTimeline, type TimelineChange, timeRules } from '../../session/edit-timeline.ts';
import { beginGesture, playhead, type RunningGesture, snapping, timelineData } from '../../session/session.ts';
import { seek } from '../../session/transport.ts';
import * as texts from '../../texts/en/timeline.ts';
import { restacked } from '../view/lines.ts';
import { snapPlaces, snapped } from '../view/snapping.ts';
import { secondsAt } from '../view/time-scale.ts';
import {
  type EntryBox,
  type EntryPart,
  gainAtHeight,
  type Hit,
  levelAt,
  RULER_PX,
  type TimelineLayout,
} from '../view/timeline-layout.ts';
import { marqueeDrag } from './marquee.ts';
import {
  heldAt,
  isSelected,
  reachOf,
  rippling,
  scale,
  scrollTop,
  select,
  selectedRefs,
  timelineLayout,
} from './timeline-model.ts';
import { addPointAt, penOn } from './volume-pen.ts';

/** What a pointer does with its target. */
interface Drag {
  /** The drag starts. */
  lift(): void;
  move(to: Point, event: PointerEvent): void;
  /** The drag ends. */
  end(keep: boolean): void;
  /** The pointer was released without a drag. */
  click(): void;
}

function nothing(): void {}

/** The frame at a position of the canvas, with its fraction. */
export function frameUnder(x: number): number {
  const { rate } = timeRules.value;
  return (secondsAt(x, scale.value) * rate.num) / rate.den;
}

/** The drag for a press at a target. It changes no entry before it starts. */
export function dragFor(hit: Hit, begin: Point, event: PointerEvent): Drag {
  const adds = event.shiftKey || event.ctrlKey || event.metaKey;
  const scrub = (x: number) => seek(Math.floor(frameUnder(x) + 1e-6));
  if (hit.kind === 'ruler')
    return { lift: nothing, move: ({ x }) => scrub(x), end: nothing, click: () => scrub(begin.x) };
  if (hit.kind === 'nothing') {
    const click = () => {
      if (!adds) select([]);
      scrub(begin.x);
    };
    return { lift: nothing, ...marqueeDrag(begin, adds), click };
  }
  const { ref } = hit.box;
  // A finger may be about to scroll.
  if (event.pointerType !== 'touch' && !adds && !isSelected(ref)) select([ref]);
  let drag: EntryDrag | null = null;
  return {
    lift() {
      if (!isSelected(ref)) select([ref], adds);
    },
    move(to, moved) {
      // The level line crosses the whole entry: a sideways drag moves the entry.
      const isAlong = Math.abs(to.x - begin.x) > Math.abs(to.y - begin.y);
      drag ??= entryDrag(hit.box, hit.part === 'volume' && isAlong ? 'body' : hit.part, begin);
      drag.move(to, moved);
    },
    end: (keep) => drag?.end(keep),
    click() {
      if ((event.altKey || penOn.value) && !adds && LANES[ref.lane].hasSound)
        addPointAt(hit.box, begin, reachOf(event));
      else select([ref], adds);
    },
  };
}

type EntryDrag = Pick<Drag, 'move' | 'end'>;

/** Drags an entry or a part of it, as one gesture and one undo step. */
function entryDrag(box: EntryBox, part: EntryPart, begin: Point): EntryDrag {
  const gesture = beginGesture();
  const before = timelineData.value;
  const { ref } = box;
  const grabbed = frameUnder(begin.x);
  if (part === 'start' || part === 'end') {
    const edge = slotOf(before, ref, timeRules.value)[part];
    return changing(gesture, before, texts.trimEntry(LANE_LOOKS[ref.lane].label), (to, event) => {
      const by = held([edge], frameUnder(to.x) - grabbed, { data: before, except: [ref] }, event);
      const cut = { edge: part, to: (edge + by) as Frames };
      return (data, rule) => (rippling.value ? rippleTrim : trimEntry)(data, ref, cut, rule);
    });
  }
  if (part === 'body') {
    let refs: readonly EntryIndex[] | null = null;
    const lines = timelineLayout.value;
    return changing(gesture, before, texts.moveStep, (to, event) => {
      refs ??= selectedRefs.value.length > 0 ? selectedRefs.value : [ref];
      const edges = refs.flatMap((each) => {
        const { start, end } = slotOf(before, each, timeRules.value);
        return [start, end];
      });
      const by = held(edges, frameUnder(to.x) - grabbed, { data: before, except: refs }, event);
      const moving = refs;
      const layer = moving.length === 1 ? layerUnder(ref, lines, to.y) : null;
      return (data, rule) => {
        const moved = moveEntries(data, moving, by, rule);
        return layer === null ? moved : restacked(moved, ref, layer, rule);
      };
    });
  }
  if (part === 'volume') {
    const { volumeAs = 'gain' } = timeRules.value;
    const line = levelAt(box, begin.x, scale.value, timeRules.value);
    const entry = entryAt(before, ref)!;
    // Volume and volume points multiply; the drag changes the volume. (C80)
    const ofPoints = gainAt(levelsOf(entry, volumeAs), (begin.x - box.x) / scale.value.pxPerSecond);
    return changing(gesture, before, texts.changeVolume, (to) => {
      const wanted = gainAtHeight(box, to.y - begin.y + line) / Math.max(0.001, ofPoints);
      const volume = volumeOf(Math.round(wanted * 100) / 100, volumeAs);
      return (data) => withEntry(data, ref, { ...entryAt(data, ref), volume });
    });
  }
  return changing(gesture, before, part === 'fade_in' ? texts.fadeIn : texts.fadeOut, (to) => {
    const entry = entryAt(before, ref)!;
    const length = entry.duration ?? box.width / scale.value.pxPerSecond;
    const other = (part === 'fade_in' ? entry.fade_out : entry.fade_in) ?? 0;
    const px = part === 'fade_in' ? to.x - box.x : box.x + box.width - to.x;
    const wanted = Math.max(0, Math.round((px / scale.value.pxPerSecond) * FADE_STEPS) / FADE_STEPS);
    const seconds = toMicros(Math.min(Math.max(0, length - other), wanted));
    return (data) => withEntry(data, ref, { ...entryAt(data, ref), [part]: seconds });
  });
}

/** Fades change in steps of a twentieth of a second. */
const FADE_STEPS = 20;

/**
 * The layer of another line of the lane under the pointer, counted from the back; null for the entry's own line, or if the order has no
 * effect.
 */
function layerUnder({ lane, index }: EntryIndex, { boxes }: TimelineLayout, y: number): number | null {
  if (!LANES[lane].hasBox) return null;
  const own = boxes.filter(({ line }) => line.lane === lane);
  const down = y - RULER_PX + scrollTop.value;
  const under = own.find(({ top, height }) => down < top + height) ?? own.at(-1)!;
  return under.line.placed.some((placed) => placed.index === index) ? null : under.line.layer;
}

/** Whole frames to move by, with snapping; Alt disables it. */
export function held(
  edges: readonly number[],
  by: number,
  among: { readonly data: TimelineData; readonly except: readonly EntryIndex[] },
  event: { readonly altKey: boolean },
): number {
  const whole = Math.round(by);
  if (!snapping.value || event.altKey) {
    heldAt.value = null;
    return whole;
  }
  const { rate } = timeRules.value;
  const framesASecond = rate.num / rate.den;
  const places = placesAmong(among.data, among.except);
  const found = snapped(edges, whole, places, { framePx: scale.value.pxPerSecond / framesASecond, framesASecond });
  heldAt.value = found.at;
  return found.by;
}

let lastPlaces: { readonly key: readonly unknown[]; readonly places: readonly Frames[] } | null = null;

/** Cached, since the snap positions do not change during a drag. */
function placesAmong(data: TimelineData, except: readonly EntryIndex[]): readonly Frames[] {
  const key = [data, timeRules.value, playhead.value, except.map(({ lane, index }) => `${lane} ${index}`).join()];
  if (lastPlaces === null || key.some((part, i) => part !== lastPlaces!.key[i])) {
    const places = snapPlaces(data, timeRules.value, { except, playhead: playhead.value as Frames });
    lastPlaces = { key, places };
  }
  return lastPlaces.places;
}

function changing(
  gesture: RunningGesture,
  before: TimelineData,
  label: string,
  changeFor: (to: Point, event: PointerEvent) => TimelineChange,
): EntryDrag {
  return {
    move(to, event) {
      const after = changeFor(to, event)(before, timeRules.value);
      gesture.change(label, (draft) => putTimeline(draft, before, after));
    },
    end: (keep) => (keep ? gesture.end() : gesture.cancel()),
  };
}
