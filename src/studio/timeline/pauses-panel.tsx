import type { Signal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { framesIn } from '../document/found-pauses.ts';
import { lostIn } from '../document/remove-pauses.ts';
import { keyName, onKey } from '../keys/keys.ts';
import { focusSoon } from '../keys/move-focus.ts';
import { drawer } from '../kit/drawers.tsx';
import { Icon, IconButton } from '../kit/icon.tsx';
import { clock } from '../kit/shown-values.ts';
import { speechProgress } from '../media/pauses-of-file.ts';
import { timeRules } from '../session/edit-timeline.ts';
import { keyWanted, serviceGone } from '../session/service-state.ts';
import { face, playing, rate, readOnly, timelineData } from '../session/session.ts';
import { lengthInFrames, seek } from '../session/transport.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/pauses.ts';
import {
  askService,
  canAskService,
  closeReview,
  currentPause,
  cutLength,
  cutOut,
  cuts,
  heard,
  listen,
  minPause,
  padding,
  type ReviewedPause,
  reviewed,
  reviewedFiles,
  startReview,
  stopListening,
  turn,
  turnAll,
  turnCurrent,
} from './act/pauses-review.ts';
import { pauseLength, pauseWords } from './pause-marks.tsx';

/** The pauses of entries as a list; each is removed or kept. Their marks are on the bars of the timeline. (C78) */
export function PausesPanel() {
  const panel = useRef<HTMLElement>(null);
  useEffect(startReview, []);
  useLayoutEffect(() => {
    face.value = 'preview';
    // Opens the inspector if it is a closed drawer.
    if (panel.current?.checkVisibility() === false) drawer.value = 'details';
    else panel.current?.focus();
  }, []);
  // Also where the focus is on the picture or nowhere.
  useEffect(() => onKey('escape', null, () => drawer.value === null && closeReview()), []);
  // From mark to mark with Tab, once there are some.
  const isFound = reviewed.value.length > 0;
  useEffect(() => {
    if (isFound && document.activeElement === panel.current) focusSoon('.tl-pause');
  }, [isFound]);
  const [file, ...others] = reviewedFiles.value;
  return (
    <aside
      ref={panel}
      class="insp pauses"
      tabIndex={-1}
      aria-label={texts.removePauses}
      onKeyDown={(event) => {
        // Also on its switches, where the keys of the page do not apply.
        if (keyName(event) === 'x') {
          event.preventDefault();
          turnCurrent();
        }
        if (event.key !== 'Escape' || drawer.value !== null) return;
        event.stopPropagation();
        closeReview();
      }}
    >
      <div class="phd">
        <h2>{texts.removePauses}</h2>
        <IconButton icon="close" label={page.close} onClick={closeReview} />
      </div>
      <section class="scr" tabIndex={0} aria-label={texts.removePauses}>
        <p class="q" role="status">
          {statusWords(others.length === 0 ? (file?.name ?? null) : null)}
        </p>
        {canAskService.value && (
          <button type="button" class="bt wide" onClick={askService}>
            {texts.lookOn(location.host)}
          </button>
        )}
        <SecondsSlider
          label={texts.shortestPause}
          note={texts.shortestPauseNote}
          value={minPause}
          min={0.1}
          max={3}
          step={0.1}
        />
        <SecondsSlider label={texts.padding} note={texts.paddingNote} value={padding} min={0} max={1} step={0.05} />
        {reviewed.value.length > 0 && (
          <>
            <BeforeAndAfter />
            <List />
          </>
        )}
      </section>
      <Actions />
    </aside>
  );
}

function statusWords(onlyFile: string | null): string {
  const names = reviewedFiles.value.map(({ name }) => name).join(', ');
  if (heard.value === null) {
    if (keyWanted.value) return texts.keyForPauses;
    if (serviceGone.value) return texts.noResponse;
    return texts.findingPauses(names, speechProgress.value && Math.round(speechProgress.value * 100));
  }
  const faults = [...heard.value.values()].flatMap(({ fault }) => fault ?? []);
  const found = reviewed.value.length;
  if (found === 0) return faults[0] ?? texts.noPauses;
  const lost = lostIn(timelineData.value, cuts.value, timeRules.value).length;
  return [
    `${texts.foundIn(found, onlyFile)}.`,
    ...faults,
    ...(lost === 0 ? [] : [texts.entriesInPauses(lost)]),
    ...(timelineData.value.subtitle_files.length === 0 ? [] : [texts.subtitleFilesStay]),
  ].join(' ');
}

interface SliderProps {
  readonly label: string;
  readonly note: string;
  readonly value: Signal<number>;
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

function SecondsSlider({ label, note, value, ...range }: SliderProps) {
  const id = useId();
  return (
    <div class="pauses-slider">
      <label for={id}>{label}</label>
      <output for={id} class="num">
        {page.seconds(value.value)}
      </output>
      <input
        id={id}
        type="range"
        {...range}
        value={value.value}
        aria-valuetext={page.seconds(value.value)}
        aria-describedby={`${id}-note`}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          value.value = Math.round(valueAsNumber * 100) / 100;
        }}
      />
      <p id={`${id}-note`} class="q">
        {note}
      </p>
    </div>
  );
}

/** The length of the video without the pauses, beside what it is now. */
function BeforeAndAfter() {
  const now = lengthInFrames();
  const left = now - framesIn(cuts.value);
  const seconds = (frames: number) => clock(secondsOf(frames as Frames, rate.value));
  return (
    <dl class="pauses-lengths">
      <dt>{texts.before}</dt>
      <dd>
        <i style={{ width: '100%' }} />
      </dd>
      <dd class="num">{seconds(now)}</dd>
      <dt>{texts.after}</dt>
      <dd>
        <i style={{ width: `${(100 * left) / Math.max(1, now)}%` }} />
      </dd>
      <dd class="num">{seconds(left)}</dd>
    </dl>
  );
}

function List() {
  const all = reviewed.value;
  const cut = all.filter(({ isCut }) => isCut).length;
  return (
    <>
      <div class="pauses-count">
        <b>{texts.removedOf(cut, all.length)}</b>
        <button type="button" class="lk" onClick={() => turnAll(cut === 0)}>
          {cut === 0 ? texts.removeAll : texts.keepAll}
        </button>
      </div>
      <ul class="pauses-list">
        {all.map((pause) => (
          <Line key={pause.key} pause={pause} />
        ))}
      </ul>
    </>
  );
}

function Line({ pause }: { readonly pause: ReviewedPause }) {
  const { key, frames, isCut, isBeforeVerdict } = pause;
  const line = useRef<HTMLLIElement>(null);
  const isCurrent = key === currentPause.value;
  useEffect(() => {
    if (isCurrent) line.current!.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const words = pauseWords(pause);
  return (
    <li
      ref={line}
      data-current={isCurrent}
      onFocusCapture={() => {
        currentPause.value = key;
      }}
    >
      <IconButton icon="play" label={texts.listenTo(words)} title={texts.listen} onClick={() => listen(pause)} />
      <button
        type="button"
        class="pauses-at"
        title={words}
        onClick={() => {
          currentPause.value = key;
          seek(frames.start);
        }}
      >
        <span class="num">{clock(secondsOf(frames.start, rate.value))}</span>
        <span>
          <b class="num">{pauseLength(pause)}</b>
          {isBeforeVerdict && !isCut && <small class="q">{texts.beforeVerdict}</small>}
        </span>
      </button>
      <input
        type="checkbox"
        role="switch"
        aria-label={texts.cutPause(words)}
        checked={isCut}
        aria-checked={isCut}
        onChange={() => turn(pause)}
      />
    </li>
  );
}

function Actions() {
  const count = reviewed.value.filter(({ isCut }) => isCut).length;
  return (
    <footer class="pauses-actions">
      {playing.value ? (
        <button type="button" class="bt" onClick={stopListening}>
          <Icon name="stop" />
          {texts.stopListening}
        </button>
      ) : (
        <button type="button" class="bt" disabled={count === 0} onClick={() => listen()}>
          <Icon name="play" />
          {texts.listen}
        </button>
      )}
      <button
        type="button"
        class="bt prim"
        disabled={count === 0 || readOnly.value}
        onClick={() => cutOut(cuts.value, count)}
      >
        {count === 0 ? texts.nothingToRemove : texts.apply(cutLength(cuts.value))}
      </button>
    </footer>
  );
}
