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
  layout,
  linesPx,
  phoneOpen,
  rippling,
  roomPx,
  scale,
  scrollTop,
  selectAll,
  selectedRefs,
} from './act/timeline-model.ts';
import { addPointHere, penOn } from './act/volume-pen.ts';
import { EntryList } from './entry-list.tsx';
import { LaneSwitches, laneHead } from './lane-switches.tsx';
import { TimelineCanvas } from './timeline-canvas.tsx';
import { LEAST_PX_PER_SECOND, MOST_PX_PER_SECOND } from './view/time-scale.ts';
import { RULER_PX, type TrackBox } from './view/timeline-layout.ts';

const AddLines = shownLater(async () => (await import('./add-lines.tsx')).AddLines);
const VerdictHandle = shownLater(async () => (await import('./verdict-handle.tsx')).VerdictHandle);
const VolumeHandles = shownLater(async () => (await import('./volume-handles.tsx')).VolumeHandles);
const PausesPanel = shownLater(async () => (await import('./pauses-panel.tsx')).PausesPanel);
const TransitionMarks = shownLater(async () => (await import('./transition-marks.tsx')).TransitionMarks);
const PhoneLanes = shownLater(async () => (await import('./phone-lanes.tsx')).PhoneLanes);
const RevealOrder = shownLater(async () => (await import('./reveal-order.tsx')).RevealOrder);
const Recorder = shownLater(async () => (await import('./recorder.tsx')).Recorder);

/** Time: lanes, playhead, tools. */
export function Timeline() {
  useEffect(() => bindKeys(), []);
  useEffect(fitOnce, []);
  const isEmpty = lastFrame.value === 0 && layout.value.boxes.every(({ track }) => track.placed.length === 0);
  return (
    <section class="timeline" id="timeline" tabIndex={-1} aria-label="Timeline" data-open={phoneOpen.value}>
      {isPhone.value ? <PhoneLanes /> : null}
      <Tools />
      <div class="tl-grid" style={{ '--lines': `${linesPx.value}px` }}>
        <Heads />
        <TimelineCanvas />
        <EntryList />
        {timelineData.value.videos.length > 1 ? <TransitionMarks /> : null}
        {isRevealAlone() ? <VerdictHandle /> : null}
        {isSoundAlone() ? <VolumeHandles /> : null}
        {isEmpty ? (
          <p class="tl-empty">The timeline fills as you drop things. Nothing has to be on it to rank pictures.</p>
        ) : null}
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

/** A project that has just been opened, and in which nothing was done yet, is seen as a whole. */
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
    <button
      type="button"
      class="ib"
      aria-label={label}
      title={`${label} (${hint})`}
      disabled={disabled ?? false}
      onClick={run}
    >
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
              <span class="tl-word">Add</span>
            </>
          }
        >
          <AddLines />
        </Menu>
        <Tool icon="scissors" label="Split at the playhead" hint="S" run={splitHere} />
        <Tool
          icon="trash"
          label="Remove"
          hint="Delete; with Shift the gap closes"
          run={() => void removeSelected(rippling.value)}
          disabled={isNone}
        />
        <button
          type="button"
          class="ib"
          aria-label="Volume pen"
          aria-pressed={penOn.value}
          title="Volume pen: a click on a clip or sound adds a volume point (Alt and click without it)"
          onClick={() => {
            penOn.value = !penOn.value;
          }}
        >
          <Icon name="pen" />
        </button>
        <button type="button" class="bt" onClick={revealHere} title="The next picture comes in at the playhead">
          <Icon name="reveal" />
          <span class="tl-word minor">Reveal here</span>
          <kbd>R</kbd>
        </button>
        <button
          type="button"
          class="bt"
          onClick={spreadEvenly}
          title="All reveals at even distances while the board is seen"
        >
          <Icon name="spread" />
          <span class="tl-word minor">Spread evenly</span>
        </button>
        <button
          type="button"
          class="bt"
          onClick={openOrder}
          title="Which picture comes in when: worst first, best first, shuffled or by hand (O)"
        >
          <Icon name="order" />
          <span class="tl-word minor">Order</span>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={isRecording.value}
          onClick={() => (isRecording.value ? stopRecording() : startRecording())}
          title="Plays; each tap brings the next picture in"
        >
          <Icon name="reveal" />
          <span class="tl-word">Tap to record</span>
        </button>
        <button
          type="button"
          class="bt take-button"
          onClick={openTake}
          title="Talk, rank, and the video is made (Shift R)"
        >
          <Icon name="record" />
          <span class="tl-word">Record a take</span>
        </button>
      </div>
      <div class="tl-group">
        <button
          type="button"
          class="bt"
          aria-pressed={snapping.value}
          title="Edges, reveals and the playhead hold what is dragged near them; Alt lets go"
          onClick={() => {
            snapping.value = !snapping.value;
          }}
        >
          <Icon name="magnet" />
          <span class="tl-word">Snapping</span>
          <kbd>N</kbd>
        </button>
        <button
          type="button"
          class="bt"
          aria-pressed={rippling.value}
          title="What comes after moves along when an edge is trimmed or something is removed"
          onClick={() => {
            rippling.value = !rippling.value;
          }}
        >
          <Icon name="ripple" />
          <span class="tl-word">Ripple</span>
        </button>
        <span class="tl-sep" />
        <Tool icon="minus" label="Zoom out" hint="−" run={() => zoomBy(1 / 1.5)} />
        <ZoomSlider />
        <Tool icon="plus" label="Zoom in" hint="+" run={() => zoomBy(1.5)} />
        <button type="button" class="bt" onClick={zoomToFit} title="Fit the timeline (Shift+Z)">
          <Icon name="fit" />
          <span class="tl-word">Fit</span>
        </button>
      </div>
    </div>
  );
}

/** Logarithmic: a step is as large to the eye anywhere. */
function ZoomSlider() {
  const [least, most] = [Math.log(LEAST_PX_PER_SECOND), Math.log(MOST_PX_PER_SECOND)];
  return (
    <input
      type="range"
      class="tl-zoom"
      aria-label="Zoom"
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

/** What each line is, beside it. */
function Heads() {
  return (
    <div class="tl-heads">
      <div class="tl-clock">
        <Clock />
      </div>
      <div class="tl-heads-clip">
        <div class="tl-heads-in" style={{ transform: `translateY(${-scrollTop.value}px)` }}>
          {layout.value.boxes.map((box) => (
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

/** Scrolls as far as needed to have a line in sight: what has the focus is in it. */
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
      {layer > 0 ? null : <LaneSwitches lane={lane} role={role} />}
    </div>
  );
}

function bindKeys(): () => void {
  const own = (key: string, label: string | null, run: Key['run']) => onKey(key, label, run, 'timeline');
  const bound = [
    own('s', 'Split at the playhead', splitHere),
    own('delete', 'Remove', () => removeSelected(rippling.value)),
    own('backspace', null, () => removeSelected(rippling.value)),
    own('shift+delete', 'Remove and close the gap', () => removeSelected(true)),
    own('shift+backspace', null, () => removeSelected(true)),
    own('ctrl+a', 'Select all entries', () => {
      const isHere = document.querySelector('.timeline')?.contains(document.activeElement) === true;
      return (isHere || selection.value.kind === 'entries') && selectAll();
    }),
    own('r', 'Reveal at the playhead', () => (isRecording.value ? tap() : revealHere())),
    ...ADDED_LANES.flatMap(({ lane, key, words }) =>
      key === undefined ? [] : [own(key.toLowerCase(), words, () => addHere(lane))],
    ),
    own('i', 'Put the selected file at the playhead', putSelectedHere),
    own('[', 'Trim start to the playhead', () => trimHere('start')),
    own(']', 'Trim end to the playhead', () => trimHere('end')),
    own('o', 'Reveal order', openOrder),
    own('v', 'Volume point at the playhead', addPointHere),
    own('n', 'Snapping on or off', () => {
      snapping.value = !snapping.value;
    }),
    own('+', 'Zoom in', () => zoomBy(1.5)),
    own('=', null, () => zoomBy(1.5)),
    own('-', 'Zoom out', () => zoomBy(1 / 1.5)),
    own('shift+z', 'Fit the timeline', zoomToFit),
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
