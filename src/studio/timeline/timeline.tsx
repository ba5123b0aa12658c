import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LANES } from '../../timeline/lanes.ts';
import { shownLater } from '../kit/later.tsx';
import { isPhone } from '../kit/phone.ts';
import { pausesOf } from '../session/pauses.ts';
import { redoLabel, timelineData, undoLabel } from '../session/session.ts';
import { lastFrame } from '../session/timeline.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline.ts';
import { isRecording } from './act/record-reveals.ts';
import { orderOpen, zoomToFit } from './act/timeline-actions.ts';
import { linesPx, phoneOpen, roomPx, selectedRefs, timelineLayout } from './act/timeline-model.ts';
import { EntryList } from './entry-list.tsx';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { TimelineHeads } from './timeline-heads.tsx';
import { bindTimelineKeys } from './timeline-keys.ts';
import { TimelineTools } from './timeline-tools.tsx';

const VerdictHandle = shownLater(async () => (await import('./verdict-handle.tsx')).VerdictHandle);
const VolumeHandles = shownLater(async () => (await import('./volume-handles.tsx')).VolumeHandles);
const PausesPanel = shownLater(async () => (await import('./pauses-panel.tsx')).PausesPanel);
const TransitionMarks = shownLater(async () => (await import('./transition-marks.tsx')).TransitionMarks);
const PhoneLanes = shownLater(async () => (await import('./phone-lanes.tsx')).PhoneLanes);
const RevealOrder = shownLater(async () => (await import('./reveal-order.tsx')).RevealOrder);
const Recorder = shownLater(async () => (await import('./recorder.tsx')).TapRecorder);

/** The timeline: lanes, playhead, tools. */
export function TimelinePanel() {
  useEffect(() => bindTimelineKeys(), []);
  useEffect(fitOnce, []);
  const isEmpty = lastFrame.value === 0 && timelineLayout.value.boxes.every(({ track }) => track.placed.length === 0);
  return (
    <section class="timeline" id="timeline" tabIndex={-1} aria-label={page.timeline} data-open={phoneOpen.value}>
      {isPhone.value ? <PhoneLanes /> : null}
      <TimelineTools />
      <div class="tl-grid" style={{ '--lines': `${linesPx.value}px` }}>
        <TimelineHeads />
        <TimelineCanvas />
        <EntryList />
        {timelineData.value.videos.length > 1 ? <TransitionMarks /> : null}
        {isRevealAlone() ? <VerdictHandle /> : null}
        {isSoundAlone() ? <VolumeHandles /> : null}
        {isEmpty ? <p class="tl-empty">{texts.empty}</p> : null}
        {pausesOf.value !== null ? <PausesPanel /> : null}
      </div>
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
    if (!isFresh || lastFrame.value === 0 || roomPx.value.width === 0) return;
    queueMicrotask(zoomToFit);
  });
}
