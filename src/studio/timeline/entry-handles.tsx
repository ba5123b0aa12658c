import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { CLIP_TRANSITIONS } from '../../timeline/choices.ts';
import { LANES } from '../../timeline/lanes.ts';
import { MAX_HOLD_SECONDS } from '../../timeline/limits.ts';
import { type Entry, type EntryIndex, entryAt } from '../document/entries.ts';
import { heldFrames, verdictOf, withVerdict } from '../document/reveal-course.ts';
import { type Cut, cutsOf, transitionLength, withTransition, withTransitionLength } from '../document/transitions.ts';
import { decibelsOf, gainOf, louder } from '../document/volume-points.ts';
import { runKey } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { startDrag } from '../kit/drag-session.ts';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { editTimeline, putTimeline, timeRules } from '../session/edit-timeline.ts';
import { type HeldReveal, heldReveal, heldSeconds, verdictWords } from '../session/reveal-edits.ts';
import { beginGesture, readOnly, timelineData } from '../session/session.ts';
import { movedPoint, pointWords, removePoint, wantedPoint } from '../session/volume-edits.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { held } from './act/entry-drag.ts';
import {
  boxOf,
  heldAt,
  isDragging,
  revealedItem,
  roomPx,
  scale,
  scrollTop,
  selectedRefs,
  timelineLayout,
} from './act/timeline-model.ts';
import { timeLabel, xOf } from './view/time-scale.ts';
import { type EntryBox, gainAtHeight, levelAt, RULER_PX } from './view/timeline-layout.ts';

/** The volume points of the only selected entry, for pointer and keys. (C80) */
export function VolumeHandles() {
  const [ref, ...others] = selectedRefs.value;
  if (ref === undefined || others.length > 0 || !LANES[ref.lane].hasSound || readOnly.value) return null;
  const box = boxOf(ref);
  const points = box?.placed.entry.volume_points ?? [];
  return box === null || points.length === 0 ? null : <Handles box={box} />;
}

function Handles({ box }: { readonly box: EntryBox }) {
  const group = useRef<HTMLDivElement>(null);
  const handle = (index: number) => group.current?.querySelector<HTMLElement>(`[data-point="${index}"]`) ?? null;
  useLayoutEffect(() => {
    if (wantedPoint.value === null) return;
    handle(wantedPoint.value)?.focus();
    wantedPoint.value = null;
  });
  useLayoutEffect(() => {
    const element = group.current;
    return () => {
      // The last point may be removed while it has the focus.
      if (element?.contains(document.activeElement)) focusSoon('.tl-list');
    };
  }, []);
  const { ref, placed } = box;
  return (
    <div class="tl-over" role="group" aria-label={texts.volumePoints} ref={group}>
      {placed.entry.volume_points!.map(({ at, volume }, index) => {
        const x = box.x + at * scale.value.pxPerSecond;
        const y = levelAt(box, x, scale.value, timeRules.value) - scrollTop.value + RULER_PX;
        return (
          <div
            key={index}
            data-point={index}
            class="tl-point"
            role="slider"
            tabIndex={0}
            aria-orientation="vertical"
            aria-label={texts.volumePointNumber(index + 1)}
            aria-valuemin={-60}
            aria-valuemax={12}
            aria-valuenow={Math.round(decibelsOf(gainOf(volume, timeRules.value.volumeAs)) * 10) / 10}
            aria-valuetext={pointWords(ref, index)}
            title={texts.volumePointHint(pointWords(ref, index))}
            style={{ transform: `translate(${x}px, ${y}px)` }}
            onPointerDown={(event) => dragPoint(event, box, index)}
            onDblClick={() => removePoint(ref, index)}
            onKeyDown={(event) => onPointKey(event, ref, index, handle)}
          />
        );
      })}
    </div>
  );
}

/** The whole drag is one undo step. */
function dragPoint(event: PointerEvent, box: EntryBox, index: number): void {
  const before = timelineData.value;
  const { ref, placed } = box;
  const { at } = placed.entry.volume_points![index]!;
  const { pxPerSecond } = scale.value;
  const whole = gainOf(placed.entry.volume, timeRules.value.volumeAs);
  const top = levelAt(box, box.x + at * pxPerSecond, scale.value, timeRules.value);
  const gesture = beginGesture();
  startDrag(event, {
    from: 'moved',
    start() {
      isDragging.value = true;
      return true;
    },
    move({ x, y }) {
      const gain = gainAtHeight(box, top + y - event.clientY) / Math.max(0.001, whole);
      const to = {
        at: at + (x - event.clientX) / pxPerSecond,
        gain: louder(0.001, Math.round(decibelsOf(gain) * 10) / 10 + 60),
      };
      const after = movedPoint(ref, index, to)(before, timeRules.value);
      gesture.change(texts.moveVolumePoint, (draft) => putTimeline(draft, before, after));
    },
    over() {
      isDragging.value = false;
    },
    click: () => gesture.cancel(),
    end: () => gesture.end(),
    cancel: () => gesture.cancel(),
  });
}

const STEP_DB = 1;
const LARGE_STEP_DB = 6;

function onPointKey(
  event: KeyboardEvent,
  ref: EntryIndex,
  index: number,
  handle: (index: number) => HTMLElement | null,
): void {
  const { at, volume } = entryAt(timelineData.value, ref)!.volume_points![index]!;
  const { rate, volumeAs } = timeRules.value;
  const gain = gainOf(volume, volumeAs);
  const frame = secondsOf(1 as Frames, rate);
  const move = (seconds: number, db: number) =>
    editTimeline(
      texts.moveVolumePoint,
      movedPoint(ref, index, { at: at + seconds, gain: db === 0 ? gain : louder(gain, db) }),
    );
  runKey(event, {
    arrowleft: () => move(-frame, 0),
    arrowright: () => move(frame, 0),
    'shift+arrowleft': () => move(-1, 0),
    'shift+arrowright': () => move(1, 0),
    arrowup: () => move(0, STEP_DB),
    arrowdown: () => move(0, -STEP_DB),
    'shift+arrowup': () => move(0, LARGE_STEP_DB),
    'shift+arrowdown': () => move(0, -LARGE_STEP_DB),
    pageup: () => handle(index - 1)?.focus(),
    pagedown: () => handle(index + 1)?.focus(),
    delete: () => removePoint(ref, index),
    backspace: () => removePoint(ref, index),
    escape: () => focusSoon('.tl-list'),
  });
}

/** With more visible cuts, the marks would be too close to use. */
const MAX_MARKS = 60;
const MARK_PX = 18;

/** A mark at each cut between two clips that fill the canvas, with or without a transition. (C58) */
export function TransitionMarks() {
  if (readOnly.value) return null;
  const seen = cutsOf(timelineData.value.videos as readonly Entry[], timeRules.value)
    .map((cut) => ({ cut, x: xOf(secondsOf(cut.at, timeRules.value.rate), scale.value) }))
    .filter(({ x }) => x > -MARK_PX && x < roomPx.value.width + MARK_PX);
  if (seen.length === 0 || seen.length > MAX_MARKS) return null;
  return (
    <div class="tl-over" role="group" aria-label={texts.transitions}>
      {seen.map(({ cut, x }) => (
        <Mark key={timelineData.value.videos[cut.index]!.id} cut={cut} x={x} />
      ))}
    </div>
  );
}

function Mark({ cut, x }: { readonly cut: Cut; readonly x: number }) {
  const { index, at, transition } = cut;
  const line = timelineLayout.value.boxes.find(
    ({ line }) => line.lane === 'videos' && line.placed.some((placed) => placed.index === index),
  );
  if (line === undefined) return null;
  const seconds = transitionLength(transition);
  const width = transition === undefined ? MARK_PX : Math.max(MARK_PX, seconds * scale.value.pxPerSecond);
  const words =
    transition === undefined
      ? texts.noTransition
      : texts.transitionFor(texts.transitionNames[transition.kind], seconds);
  const middle = line.top + line.height / 2 - MARK_PX / 2;
  return (
    <div
      class="tl-cut"
      data-on={transition !== undefined}
      style={{
        width: `${width}px`,
        transform: `translate(${x - width / 2}px, ${middle - scrollTop.value + RULER_PX}px)`,
      }}
      onKeyDown={(event) => onCutKey(event, cut)}
    >
      {transition !== undefined && <i onPointerDown={(event) => dragEdge(event, cut, -1)} />}
      <Menu
        class="tl-cut-button"
        label={texts.transitionAt(timeLabel(secondsOf(at, timeRules.value.rate), true), words)}
        button={<span aria-hidden="true">{transition === undefined ? '+' : '⋈'}</span>}
      >
        <MenuItem onClick={() => put(index, null)}>{texts.none}</MenuItem>
        {CLIP_TRANSITIONS.map((kind) => (
          <MenuItem key={kind} onClick={() => put(index, kind)}>
            {texts.transitionNames[kind]}
          </MenuItem>
        ))}
        {transition !== undefined && (
          <label class="tl-cut-length">
            {texts.transitionLength}
            <input
              type="number"
              class="num"
              min={0.1}
              max={3}
              step={0.1}
              value={seconds}
              onChange={({ currentTarget: { valueAsNumber } }) => {
                if (Number.isFinite(valueAsNumber)) lengthen(index, valueAsNumber);
              }}
            />
            {page.secondsUnit}
          </label>
        )}
      </Menu>
      {transition !== undefined && <i onPointerDown={(event) => dragEdge(event, cut, 1)} />}
    </div>
  );
}

function put(index: number, kind: (typeof CLIP_TRANSITIONS)[number] | null): void {
  editTimeline(kind === null ? texts.removeTransition : texts.changeTransition, (data) =>
    withTransition(data, index, kind),
  );
}

function lengthen(index: number, seconds: number): void {
  editTimeline(texts.changeTransitionLength, (data) => withTransitionLength(data, index, seconds));
}

/** Keys of a mark: longer and shorter by a tenth of a second; Delete removes the transition. */
function onCutKey(event: KeyboardEvent, { index, transition }: Cut): void {
  const isMark = event.target instanceof Element && event.target.matches('.tl-cut-button');
  if (!isMark || transition === undefined) return;
  runKey(event, {
    arrowright: () => lengthen(index, transitionLength(transition) + 0.1),
    arrowleft: () => lengthen(index, transitionLength(transition) - 0.1),
    'shift+arrowright': () => lengthen(index, transitionLength(transition) + 0.5),
    'shift+arrowleft': () => lengthen(index, transitionLength(transition) - 0.5),
    delete: () => put(index, null),
    backspace: () => put(index, null),
  });
}

/** Drags an edge of a transition. It is centred on the cut, so the other edge moves the opposite way. One undo step. */
function dragEdge(event: PointerEvent, { index, transition }: Cut, side: -1 | 1): void {
  const before = timelineData.value;
  const gesture = beginGesture();
  startDrag(event, {
    from: 'moved',
    start: () => true,
    move({ x }) {
      const by = (2 * side * (x - event.clientX)) / scale.value.pxPerSecond;
      const after = withTransitionLength(before, index, transitionLength(transition) + by);
      gesture.change(texts.changeTransitionLength, (draft) => putTimeline(draft, before, after));
    },
    click: () => gesture.cancel(),
    end: () => gesture.end(),
    cancel: () => gesture.cancel(),
  });
}

/** The handle of the selected spotlight's verdict, for pointer and keys. (C55) */
export function VerdictHandle() {
  const reveal = heldReveal.value;
  return reveal === null || readOnly.value ? null : <Handle reveal={reveal} />;
}

function Handle({ reveal }: { readonly reveal: HeldReveal }) {
  const handle = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = handle.current;
    return () => {
      // The selection may disappear while the handle has the focus.
      if (document.activeElement === element) focusSoon('.tl-list');
    };
  }, []);
  const line = timelineLayout.value.boxes.find(({ line }) => line.lane === 'tier_tiles')!;
  const { tile } = reveal;
  const name = revealedItem(tile).item?.name ?? tile.tier_item_id!;
  const x = xOf(secondsOf(reveal.verdict as Frames, timeRules.value.rate), scale.value);
  return (
    <div class="tl-over">
      <div
        ref={handle}
        class="tl-verdict"
        role="slider"
        tabIndex={0}
        aria-label={texts.verdictOf(name)}
        aria-valuemin={0}
        aria-valuemax={MAX_HOLD_SECONDS}
        aria-valuenow={Math.round(heldSeconds(reveal) * 100) / 100}
        aria-valuetext={verdictWords(reveal)}
        title={texts.verdictHint(verdictWords(reveal))}
        style={{
          height: `${line.height}px`,
          transform: `translate(${x}px, ${line.top - scrollTop.value + RULER_PX}px)`,
        }}
        onPointerDown={dragVerdict}
        onKeyDown={onVerdictKey}
      />
    </div>
  );
}

function onVerdictKey(event: KeyboardEvent): void {
  const reveal = heldReveal.value;
  if (reveal === null) return;
  const second = Math.round(timeRules.value.rate.num / timeRules.value.rate.den);
  runKey(event, {
    arrowright: () => moveVerdict(reveal, 1),
    arrowup: () => moveVerdict(reveal, 1),
    arrowleft: () => moveVerdict(reveal, -1),
    arrowdown: () => moveVerdict(reveal, -1),
    'shift+arrowright': () => moveVerdict(reveal, second),
    'shift+arrowup': () => moveVerdict(reveal, second),
    'shift+arrowleft': () => moveVerdict(reveal, -second),
    'shift+arrowdown': () => moveVerdict(reveal, -second),
    pageup: () => moveVerdict(reveal, second),
    pagedown: () => moveVerdict(reveal, -second),
    home: () => shortestHold(reveal),
    escape: () => focusSoon('.tl-list'),
  });
}

/** By keys: each press is one undo step. */
function moveVerdict({ ref, course }: HeldReveal, byFrames: number): void {
  const to = verdictOf(course) + byFrames;
  editTimeline(page.moveVerdict, (data, by) => withVerdict(data, ref, to, { course, rules: by }));
}

/** Sets the verdict to the end of the entrance. */
function shortestHold(reveal: HeldReveal): void {
  moveVerdict(reveal, -heldFrames(reveal.course, timeRules.value.rate));
}

/** By pointer: the whole drag is one step. */
function dragVerdict(event: PointerEvent): void {
  const { ref, course, verdict, at } = heldReveal.value!;
  const before = timelineData.value;
  const { rate } = timeRules.value;
  const gesture = beginGesture();
  startDrag(event, {
    from: 'moved',
    start() {
      isDragging.value = true;
      return true;
    },
    move({ x }, moved) {
      const wanted = ((x - event.clientX) * rate.num) / rate.den / scale.value.pxPerSecond;
      const by = held([verdict], wanted, { data: before, except: [ref] }, moved);
      const after = withVerdict(before, ref, verdict + by - at, { course, rules: timeRules.value });
      gesture.change(page.moveVerdict, (draft) => putTimeline(draft, before, after));
    },
    over() {
      isDragging.value = false;
      heldAt.value = null;
    },
    click: () => gesture.cancel(),
    end: () => gesture.end(),
    cancel: () => gesture.cancel(),
  });
}
