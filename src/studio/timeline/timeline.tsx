import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LANES } from '../../timeline/lanes.ts';
import { ADDED_LANES, LANE_LOOKS } from '../document/lane-looks.ts';
import { type Key, onKey } from '../keys/keys.ts';
import { Icon } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { opensMenu } from '../kit/open-menu.ts';
import { isPhone } from '../kit/phone.ts';
import { lastFrame } from '../session/edit-timeline.ts';
import { verdictHere } from '../session/reveal-edits.ts';
import {
  pausesOf,
  playhead,
  project,
  redoLabel,
  selection,
  snapping,
  timelineData,
  undoLabel,
} from '../session/session.ts';
import { lengthInFrames, timecode } from '../session/transport.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline.ts';
import { putSelectedHere } from './act/drop-media.ts';
import { isRecording } from './act/recording.ts';
import { recorder } from './act/reveal-recorder.ts';
import {
  addHere,
  framesToFit,
  openOrder,
  orderOpen,
  removeSelected,
  revealHere,
  splitHere,
  trimHere,
  zoomBy,
  zoomToFit,
} from './act/timeline-actions.ts';
import {
  linesPx,
  phoneOpen,
  rippling,
  roomPx,
  scrollTop,
  selectAll,
  selectedRefs,
  timelineLayout,
} from './act/timeline-model.ts';
import { addPointHere } from './act/volume-pen.ts';
import { LaneButtons, laneHead } from './lane-buttons.tsx';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { TimelineTools } from './timeline-tools.tsx';
import { type LineBox, RULER_PX } from './view/timeline-layout.ts';

const EntryList = shownLater(async () => (await import('./entry-list.tsx')).EntryList);
const VerdictHandle = shownLater(async () => (await import('./entry-handles.tsx')).VerdictHandle);
const VolumeHandles = shownLater(async () => (await import('./entry-handles.tsx')).VolumeHandles);
const PauseMarks = shownLater(async () => (await import('./pause-marks.tsx')).PauseMarks);
const PauseTools = shownLater(async () => (await import('./pause-tools.tsx')).PauseTools);
const PauseKeys = shownLater(async () => (await import('./pause-tools.tsx')).PauseKeys);
const TransitionMarks = shownLater(async () => (await import('./entry-handles.tsx')).TransitionMarks);
const PhoneLanes = shownLater(async () => (await import('./phone-lanes.tsx')).PhoneLanes);
const RevealOrder = shownLater(async () => (await import('./reveal-order.tsx')).RevealOrder);
const Recorder = shownLater(async () => (await import('./reveal-order.tsx')).TapRecorder);

/** The timeline: lanes, playhead, tools. */
export function TimelinePanel() {
  useEffect(() => bindTimelineKeys(), []);
  useEffect(fitOnce, []);
  const isEmpty = lastFrame.value === 0 && timelineLayout.value.boxes.every(({ line }) => line.placed.length === 0);
  const isAutomatic = project.value.template?.auto !== undefined && timelineData.value.tier_blocks.length === 0;
  const hint = isAutomatic ? texts.automatic : isEmpty ? texts.empty : null;
  return (
    <section class="timeline" id="timeline" tabIndex={-1} aria-label={page.timeline} data-open={phoneOpen.value}>
      {isPhone.value ? <PhoneLanes /> : null}
      <TimelineTools />
      {pausesOf.value !== null ? <PauseTools /> : null}
      <div class="tl-grid" style={{ '--lines': `${linesPx.value}px` }}>
        <TimelineHeads />
        <TimelineCanvas />
        <EntryList />
        {timelineData.value.videos.length > 1 ? <TransitionMarks /> : null}
        {isRevealAlone() ? <VerdictHandle /> : null}
        {isSoundAlone() ? <VolumeHandles /> : null}
        {hint !== null && scrollTop.value === 0 ? <p class="tl-empty">{hint}</p> : null}
        {pausesOf.value !== null ? <PauseMarks /> : null}
      </div>
      {pausesOf.value !== null ? <PauseKeys /> : null}
      {isRecording.value ? <Recorder /> : null}
      {orderOpen.value ? <RevealOrder /> : null}
    </section>
  );
}

function isRevealAlone(): boolean {
  const [ref, ...others] = selectedRefs.value;
  return ref?.lane === 'tier_tiles' && others.length === 0;
}

function isSoundAlone(): boolean {
  const [ref, ...others] = selectedRefs.value;
  return ref !== undefined && others.length === 0 && LANES[ref.lane].hasSound;
}

/** Fits a newly opened project to the width, until the first action. */
function fitOnce(): () => void {
  return effect(() => {
    const isFresh = undoLabel.value === null && redoLabel.value === null;
    if (!isFresh || framesToFit() === 0 || roomPx.value.width === 0) return;
    queueMicrotask(zoomToFit);
  });
}

/** The headings beside the lines. */
function TimelineHeads() {
  return (
    <div class="tl-heads">
      <div class="tl-clock">
        <Clock />
      </div>
      <div class="tl-heads-clip">
        <div class="tl-heads-in" style={{ transform: `translateY(${-scrollTop.value}px)` }}>
          {timelineLayout.value.boxes.map((box) => (
            <Head key={`${box.line.lane} ${box.line.role} ${box.line.layer}`} box={box} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Clock() {
  return (
    <time>
      {timecode(playhead.value)} <small>/ {timecode(lengthInFrames()).replace(/\.\d+$/, '')}</small>
    </time>
  );
}

/** Scrolls just enough to show the line with the focus. */
function showLine(top: number, height: number): void {
  const room = roomPx.value.height - RULER_PX;
  scrollTop.value = Math.max(0, Math.min(top, Math.max(scrollTop.value, top + height - room)));
}

function Head({ box: { line, top, height } }: { readonly box: LineBox }) {
  const { lane, role, layer } = line;
  return (
    <div
      class="tl-head"
      style={{ height: `${height}px` }}
      onFocusCapture={() => showLine(top, height)}
      onContextMenu={opensMenu({ kind: 'lane', lane, role })}
    >
      <Icon name={LANE_LOOKS[lane].line!.icon} />
      <span>
        {laneHead(lane, role)}
        {layer > 0 ? ` ${layer + 1}` : ''}
      </span>
      {layer > 0 ? null : <LaneButtons lane={lane} role={role} />}
    </div>
  );
}

/** Binds the keys of the timeline. @returns how to unbind them. */
function bindTimelineKeys(): () => void {
  const own = (key: string, label: string | null, run: Key['run']) => onKey(key, label, run, 'timeline');
  const bound = [
    own('s', texts.splitHere, splitHere),
    own('delete', page.remove, () => removeSelected(rippling.value)),
    own('backspace', null, () => removeSelected(rippling.value)),
    own('shift+delete', texts.removeAndClose, () => removeSelected(true)),
    own('shift+backspace', null, () => removeSelected(true)),
    own('ctrl+a', texts.selectAllEntries, () => {
      const isHere = document.querySelector('.timeline')?.contains(document.activeElement) === true;
      return (isHere || selection.value.kind === 'entries') && selectAll();
    }),
    own('r', texts.revealAtPlayhead, () =>
      isRecording.value ? void recorder().then(({ tap }) => tap()) : revealHere(),
    ),
    ...ADDED_LANES.flatMap(({ lane, key, words }) =>
      key === undefined ? [] : [own(key.toLowerCase(), words, () => addHere(lane))],
    ),
    own('i', texts.putFileHere, putSelectedHere),
    own('[', texts.trimStartHere, () => trimHere('start')),
    own(']', texts.trimEndHere, () => trimHere('end')),
    own('o', texts.revealOrder, openOrder),
    own('v', texts.pointOrVerdictHere, () => verdictHere() || addPointHere()),
    own('n', texts.switchSnapping, () => {
      snapping.value = !snapping.value;
    }),
    own('+', texts.zoomIn, () => zoomBy(1.5)),
    own('=', null, () => zoomBy(1.5)),
    own('-', texts.zoomOut, () => zoomBy(1 / 1.5)),
    own('shift+z', texts.fitTimeline, zoomToFit),
    own('escape', null, () => {
      if (!isRecording.value) return false;
      void recorder().then(({ stopRecording }) => stopRecording());
      return true;
    }),
  ];
  return () => {
    for (const unbind of bound) unbind();
  };
}
