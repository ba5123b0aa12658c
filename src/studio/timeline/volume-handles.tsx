import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { LANES } from '../../timeline/lanes.ts';
import { type EntryIndex, entryAt } from '../document/timeline/entries.ts';
import { decibelsOf, gainOf, louder } from '../document/timeline/volume-points.ts';
import { runKey } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { startDrag } from '../kit/drag-session.ts';
import { beginGesture, readOnly, timelineData } from '../session/session.ts';
import { editTimeline, putTimeline, timeRules } from '../session/timeline.ts';
import { movedPoint, pointWords, removePoint, wantedPoint } from '../session/volume-points.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { boxOf, isDragging, scale, scrollTop, selectedRefs } from './act/timeline-model.ts';
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
            onKeyDown={(event) => onKeyDown(event, ref, index, handle)}
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

function onKeyDown(
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
