import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LANES } from '../../timeline/lanes.ts';
import { ADDED_LANES, LANE_LOOKS } from '../document/lanes.ts';
import { type Key, onKey } from '../keys/keys.ts';
import { opensMenu } from '../kit/context-menu.ts';
import { Icon, type IconName } from '../kit/icon.tsx';
import { shownLater } from '../kit/later.tsx';
import { Menu } from '../kit/menu.tsx';
import { isPhone } from '../kit/phone.ts';
import { pausesOf } from '../session/pauses.ts';
import { playhead, redoLabel, selection, snapping, timelineData, undoLabel, zoom } from '../session/session.ts';
import { spreadEvenly } from '../session/spread-evenly.ts';
import { openTake } from '../session/take.ts';
import { lastFrame } from '../session/timeline.ts';
import { lengthInFrames, timecode } from '../session/transport.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline.ts';
import { putSelectedHere } from './act/drop-media.ts';
import { isRecording, startRecording, stopRecording, tap } from './act/record-reveals.ts';
import {
  addHere,
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
  scale,
  scrollTop,
  selectAll,
  selectedRefs,
  timelineLayout,
} from './act/timeline-model.ts';
import { addPointHere, penOn } from './act/volume-pen.ts';
import { EntryList } from './entry-list.tsx';
import { LaneButtons, laneHead } from './lane-switches.tsx';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { MAX_PX_PER_SECOND, MIN_PX_PER_SECOND } from './view/time-scale.ts';
import { RULER_PX, type TrackBox } from './view/timeline-layout.ts';

const AddLines = shownLater(async () => (await import('./add-lines.tsx')).AddLines);
const VerdictHandle = shownLater(async () => (await import('./verdict-handle.tsx')).VerdictHandle);
const VolumeHandles = shownLater(async () => (await import('./volume-handles.tsx')).VolumeHandles);
const PausesPanel = shownLater(async () => (await import('./pauses-panel.tsx')).PausesPanel);
const TransitionMarks = shownLater(async () => (await import('./transition-marks.tsx')).TransitionMarks);
const PhoneLanes = shownLater(async () => (await import('./phone-lanes.tsx')).PhoneLanes);
const RevealOrder = shownLater(async () => (await import('./reveal-order.tsx')).RevealOrder);
const Recorder = shownLater(async () => (await import('./recorder.tsx')).TapRecorder);

/** The timeline: lanes, playhead, tools. */
export function TimelinePanel() {
  useEffect(() => bindKeys(), []);
  useEffect(fitOnce, []);
  const isEmpty = lastFrame.value === 0 && timelineLayout.value.boxes.every(({ track }) => track.placed.length === 0);
  return (
    <section class="timeline" id="timeline" tabIndex={-1} aria-label={page.timeline} data-open={phoneOpen.value}>
      {isPhone.value ? <PhoneLanes /> : null}
      <Tools />
      <div class="tl-grid" style={{ '--lines': `${linesPx.value}px` }}>
        <Heads />
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

function Tool({
  icon,
  label,
  hint,
  run,
  disabled,
}: {
  icon: IconName;
  label: string;
  hint: string;
  run: () => void;
  disabled?: boolean;
}) {
  return (
    <button type="button" class="ib" aria-label={label} title={hint} disabled={disabled ?? false} onClick={run}>
      <Icon name={icon} />
    </button>
  );
}

function openOrder(): void {
  orderOpen.value = true;
}

function Tools() {
  const isNone = selectedRefs.value.length === 0;
  return (
    <div class="tl-tools">
      <div class="tl-group">
        <Menu
          class="bt"
          button={
            <>
              <Icon name="plus" />
              <span class="tl-word">{page.add}</span>
            </>
          }
        >
          <AddLines />
        </Menu>
        <Tool icon="scissors" label={texts.splitHere} hint={texts.splitHereHint} run={splitHere} />
        <Tool
          icon="trash"
          label={page.remove}
          hint={texts.removeHint}
          run={() => void removeSelected(rippling.value)}
          disabled={isNone}
        />
        <button
          type="button"
          class="ib tl-pen"
          aria-label={texts.volumePen}
          aria-pressed={penOn.value}
          title={texts.volumePenHint}
          onClick={() => {
            penOn.value = !penOn.value;
          }}
        >
          <Icon name="pen" />
        </button>
        <button type="button" class="bt" onClick={revealHere} title={texts.revealHereHint}>
          <Icon name="reveal" />
          <span class="tl-word minor">{texts.revealHere}</span>
          <kbd>R</kbd>
        </button>
        <button type="button" class="bt" onClick={spreadEvenly} title={texts.spreadEvenlyHint}>
          <Icon name="spread" />
          <span class="tl-word minor">{texts.spreadEvenly}</span>
        </button>
        <button type="button" class="bt" onClick={openOrder} title={texts.orderHint}>
          <Icon name="order" />
          <span class="tl-word minor">{texts.order}</span>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={isRecording.value}
          onClick={() => (isRecording.value ? stopRecording() : startRecording())}
          title={texts.tapToRecordHint}
        >
          <Icon name="reveal" />
          <span class="tl-word">{texts.tapToRecord}</span>
        </button>
        <button type="button" class="bt take-button" onClick={openTake} title={texts.recordTakeHint}>
          <Icon name="record" />
          <span class="tl-word">{page.recordTake}</span>
        </button>
      </div>
      <div class="tl-group">
        <button
          type="button"
          class="bt"
          aria-pressed={snapping.value}
          title={texts.snappingHint}
          onClick={() => {
            snapping.value = !snapping.value;
          }}
        >
          <Icon name="magnet" />
          <span class="tl-word">{texts.snapping}</span>
          <kbd>N</kbd>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={rippling.value}
          title={texts.rippleHint}
          onClick={() => {
            rippling.value = !rippling.value;
          }}
        >
          <Icon name="ripple" />
          <span class="tl-word">{texts.ripple}</span>
        </button>
        <span class="tl-sep" />
        <Tool icon="minus" label={texts.zoomOut} hint={texts.zoomOutHint} run={() => zoomBy(1 / 1.5)} />
        <ZoomSlider />
        <Tool icon="plus" label={texts.zoomIn} hint={texts.zoomInHint} run={() => zoomBy(1.5)} />
        <button type="button" class="bt" onClick={zoomToFit} title={texts.fitHint}>
          <Icon name="fit" />
          <span class="tl-word">{texts.fit}</span>
        </button>
      </div>
    </div>
  );
}

/** Logarithmic, so that each step looks the same. */
function ZoomSlider() {
  const [least, most] = [Math.log(MIN_PX_PER_SECOND), Math.log(MAX_PX_PER_SECOND)];
  return (
    <input
      type="range"
      class="tl-zoom"
      aria-label={texts.zoom}
      min={0}
      max={100}
      step={0.5}
      value={((Math.log(zoom.value) - least) / (most - least)) * 100}
      onInput={(event) => {
        const wanted = Math.exp(least + (Number(event.currentTarget.value) / 100) * (most - least));
        zoomBy(wanted / scale.value.pxPerSecond);
      }}
    />
  );
}

/** The headings beside the lines. */
function Heads() {
  return (
    <div class="tl-heads">
      <div class="tl-clock">
        <Clock />
      </div>
      <div class="tl-heads-clip">
        <div class="tl-heads-in" style={{ transform: `translateY(${-scrollTop.value}px)` }}>
          {timelineLayout.value.boxes.map((box) => (
            <Head key={`${box.track.lane} ${box.track.role} ${box.track.layer}`} box={box} />
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

function Head({ box: { track, top, height } }: { readonly box: TrackBox }) {
  const { lane, role, layer } = track;
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

function bindKeys(): () => void {
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
    own('r', texts.revealAtPlayhead, () => (isRecording.value ? tap() : revealHere())),
    ...ADDED_LANES.flatMap(({ lane, key, words }) =>
      key === undefined ? [] : [own(key.toLowerCase(), words, () => addHere(lane))],
    ),
    own('i', texts.putFileHere, putSelectedHere),
    own('[', texts.trimStartHere, () => trimHere('start')),
    own(']', texts.trimEndHere, () => trimHere('end')),
    own('o', texts.revealOrder, openOrder),
    own('v', texts.volumePointHere, addPointHere),
    own('n', texts.switchSnapping, () => {
      snapping.value = !snapping.value;
    }),
    own('+', texts.zoomIn, () => zoomBy(1.5)),
    own('=', null, () => zoomBy(1.5)),
    own('-', texts.zoomOut, () => zoomBy(1 / 1.5)),
    own('shift+z', texts.fitTimeline, zoomToFit),
    own('escape', null, () => {
      if (!isRecording.value) return false;
      stopRecording();
      return true;
    }),
  ];
  return () => {
    for (const unbind of bound) unbind();
  };
}
