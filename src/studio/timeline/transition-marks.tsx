import { secondsOf } from '../../time.ts';
import { CLIP_TRANSITIONS } from '../../timeline/choices.ts';
import type { Entry } from '../document/timeline/entries.ts';
import {
  type Cut,
  cutsOf,
  transitionLength,
  withTransition,
  withTransitionLength,
} from '../document/timeline/transitions.ts';
import { runKey } from '../keys/keys.ts';
import { startDrag } from '../kit/drag-session.ts';
import { Menu, MenuItem } from '../kit/menu.tsx';
import { beginGesture, readOnly, timelineData } from '../session/session.ts';
import { editTimeline, putTimeline, timeRules } from '../session/timeline.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline-tools.ts';
import { roomPx, scale, scrollTop, timelineLayout } from './act/timeline-model.ts';
import { timeLabel, xOf } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

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
    ({ track }) => track.lane === 'videos' && track.placed.some((placed) => placed.index === index),
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
      onKeyDown={(event) => onKeyDown(event, cut)}
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
function onKeyDown(event: KeyboardEvent, { index, transition }: Cut): void {
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
