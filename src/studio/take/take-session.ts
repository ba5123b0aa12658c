import { batch, computed, effect, signal } from '@preact/signals';
import { type Frames, frameAt, frames, secondsOf } from '../../time.ts';
import { applyLayout, type LayoutName, layoutOf } from '../document/layout-commands.ts';
import { boardBefore } from '../document/take/kept-acts.ts';
import { drop, type Performance, pickUp, putBack, retimed, seenRows, undoLast } from '../document/take/performance.ts';
import { putRunningTake, putTake } from '../document/take/put-take.ts';
import { studioConfig } from '../kit/assets.ts';
import { announce, say } from '../kit/messages.ts';
import {
  beginGesture,
  decided,
  edit,
  playhead,
  playing,
  project,
  type RunningGesture,
  rate,
  selection,
} from '../session/session.ts';
import { takeOpen } from '../session/take.ts';
import { lastFrame, rules } from '../session/timeline.ts';
import { pause, play } from '../session/transport.ts';
import * as texts from '../texts/en/take.ts';
import { cutSeconds, TakeSpans, type TakeTimes, takeSeconds } from './clock/take-times.ts';
import { choices, closeDevices, type DeviceFault, delayOf, openDevices, videoBitrate } from './devices.ts';
import { discardTake, keepTake } from './keep-take.ts';
import { putRecording } from './put-recording.ts';
import { browserEnding, openBrowserRecorder } from './record/browser-recorder.ts';
import { hasOwnRecorder, openRecorder, type Recorder } from './record/open-recorder.ts';
import { forgetLog, writeLog } from './take-log.ts';
import { findUnfinished } from './unfinished.ts';

/** The steps of a take: set-up, countdown, running, paused, saving. */
type Step = 'setup' | 'count' | 'run' | 'paused' | 'end';

export const step = signal<Step>('setup');
export const stream = signal<MediaStream | null>(null);
export const deviceFault = signal<DeviceFault | null>(null);
/** The remaining count; 0 when it is over. */
export const counted = signal(0);
/** Seconds of the take so far. */
export const elapsed = signal(0);
export const performed = signal<Performance>({ start: [], acts: [], up: null });
export const layout = signal<LayoutName>('right');
export const where = signal<Where>('start');
/** A warning during the take. */
export const notice = signal<string | null>(null);

/** Where on the timeline the take starts. */
type Where = 'start' | 'playhead' | 'end';

/** The board is planned minutes ahead: a new plan at every tick would take time from the encoder. */
const wholeMinutes = computed(() => Math.floor(elapsed.value / 60));

const COUNTS = 3;
const COUNT_MS = 1000;
/** Interval of the live preview, which leaves the rest of the time to the encoder. */
const FOLLOW_MS = 66;

const isRecorded = (): boolean => choices.value.source !== 'play';
export const hasPicture = (): boolean => choices.value.source === 'camera' || choices.value.source === 'screen';

/** Whether cards are ranked in this take; a voice-over does not rank. */
export const isPerformed = computed(() => choices.value.source !== 'voice');

let gesture: RunningGesture | null = null;
let recorder: Recorder | null = null;
let name = '';
let openings = 0;
/** The values before the take, which changes both. */
let playheadBefore = 0;
let endOfTimeline = 0;
/** The spans of the take on the page's clock, for the live preview. */
let pageSpans = new TakeSpans();
let ended = new AbortController();

/** The first frame of the take. */
export const startFrame = computed<Frames>(() => {
  if (where.value === 'start') return frames(0);
  return frames(where.value === 'playhead' ? playheadBefore : endOfTimeline);
});

export function hasTake(): boolean {
  const { timeline_data, studio } = decided.value;
  return timeline_data.videos.some(({ file_field: field }) => studio.media[field]?.recorded === true);
}

/** Opens the set-up. Everything shown is one gesture that ends with the take. */
export function enterTake(): void {
  pause();
  ended = new AbortController();
  playheadBefore = playhead.value;
  endOfTimeline = lastFrame.value;
  where.value = hasTake() && playheadBefore > 0 ? 'playhead' : 'start';
  layout.value = layoutOf(decided.value, studioConfig.presets) ?? 'right';
  step.value = 'setup';
  elapsed.value = 0;
  notice.value = null;
  gesture = beginGesture();
  void openStream();
  const on = { signal: ended.signal };
  document.addEventListener(
    'visibilitychange',
    () => {
      if (step.value === 'run') notice.value = document.hidden ? texts.hidden : null;
    },
    on,
  );
  addEventListener(
    'beforeunload',
    (event) => {
      if (step.value !== 'setup') event.preventDefault();
    },
    on,
  );
}

/** Leaves the take and discards what is shown. */
export function leaveTake(): void {
  ended.abort();
  recorder?.close();
  recorder = null;
  closeDevices(stream.value);
  gesture?.cancel();
  gesture = null;
  batch(() => {
    stream.value = null;
    takeOpen.value = false;
    playhead.value = playheadBefore;
  });
}

/** Opens the chosen devices; the latest call wins. */
export async function openStream(): Promise<void> {
  openings += 1;
  const opening = openings;
  closeDevices(stream.value);
  stream.value = null;
  deviceFault.value = null;
  if (!isRecorded()) return;
  const opened = await openDevices(choices.value);
  if (opening !== openings || !takeOpen.value) {
    if (opened instanceof MediaStream) closeDevices(opened);
    return;
  }
  if (opened instanceof MediaStream) stream.value = opened;
  else deviceFault.value = opened;
}

/** Updates the live preview during the take. @returns a function that stops it. */
export function followTake(): () => void {
  const stopPlacing = effect(() => {
    if (step.value !== 'setup') return;
    playhead.value = startFrame.value;
    performed.value = { start: boardBefore(decided.value, startFrame.value, rules.peek()), acts: [], up: null };
  });
  const stopShowing = effect(() => {
    const at = startFrame.value;
    const chosen = layout.value;
    const shown = inSeconds(performed.value, pageTimes());
    const seconds = wholeMinutes.value * 60;
    if (!isPerformed.value) {
      gesture?.change(texts.record, () => {});
      return;
    }
    gesture?.change(texts.recordTake, (draft) => {
      putRunningTake(draft, { at, seconds, performance: shown }, isRecorded(), rules.peek());
      if (hasPicture()) applyLayout(draft, chosen, studioConfig.presets);
    });
  });
  let files = 0;
  const timer = setInterval(() => {
    if (step.value !== 'run') return;
    if (!isRecorded()) {
      elapsed.value = secondsOf((playhead.value - startFrame.value) as Frames, rate.value);
      if (!playing.value) void stopTake(performance.now());
      return;
    }
    elapsed.value = takeSeconds(pageTimes(), performance.now());
    if (hasPicture()) playhead.value = startFrame.value + frameAt(elapsed.value, rate.value);
    const state = recorder?.state.value;
    if (state?.isReduced) notice.value = texts.reduced;
    else if (state?.isBehind) notice.value = texts.behind;
    if (state != null && state.files.length !== files) {
      files = state.files.length;
      log();
    }
    if (recorder?.fault.value != null) void stopTake(performance.now());
  }, FOLLOW_MS);
  return () => {
    stopShowing();
    stopPlacing();
    clearInterval(timer);
  };
}

function pageTimes(): TakeTimes {
  return { line: { rate: 1, offset: 0 }, ticksPerSecond: 1000, delayMs: 0, spans: pageSpans.spans };
}

/** Converts the times of actions to seconds: from page time, or from timeline time if nothing is recorded. */
function inSeconds(acted: Performance, times: TakeTimes): Performance {
  return retimed(acted, (at) => (isRecorded() ? takeSeconds(times, at) : at / 1000));
}

/** The time of an event for the performance. */
function momentOf(eventMs: number): number {
  if (isRecorded()) return eventMs;
  return secondsOf(Math.max(0, playhead.value - startFrame.value) as Frames, rate.value) * 1000;
}

/** Counts down, then records. */
export async function startTake(): Promise<void> {
  if (step.value !== 'setup') return;
  const source = stream.value;
  if (isRecorded() && source === null) return;
  batch(() => {
    step.value = 'count';
    elapsed.value = 0;
    counted.value = choices.value.countDown ? COUNTS : 0;
    selection.value = { kind: 'none' };
  });
  if (source !== null) {
    const [video] = source.getVideoTracks();
    const [audio] = source.getAudioTracks();
    const isOwn = hasOwnRecorder();
    name = `take-${Date.now()}${isOwn ? '.mp4' : browserEnding(source)}`;
    recorder = (isOwn ? openRecorder : openBrowserRecorder)(source, {
      name,
      delays: { picture: delayOf(video), sound: delayOf(audio) },
      videoBitrate: videoBitrate(video),
      mostBytes: studioConfig.fileLimits.maxFileBytes,
    });
    // The lock tells other tabs that the recording is in progress.
    void navigator.locks?.request(name, () => new Promise<void>((resolve) => onEnd(resolve)));
  }
  void navigator.wakeLock?.request('screen').then(
    (lock) => onEnd(() => void lock.release()),
    () => {},
  );
  while (counted.value > 0) {
    announce(String(counted.value));
    await new Promise((resolve) => setTimeout(resolve, COUNT_MS));
    if (!isCounting()) return;
    counted.value -= 1;
  }
  await recorder?.ready;
  if (!isCounting()) return;
  pageSpans = new TakeSpans();
  const now = performance.now();
  recorder?.go(now);
  pageSpans.go(now);
  step.value = 'run';
  announce(isRecorded() ? texts.said.recording : texts.said.playing);
  log();
  if (!isRecorded() || choices.value.source === 'voice') play(1);
}

function isCounting(): boolean {
  return step.peek() === 'count';
}

function onEnd(run: () => void): void {
  ended.signal.addEventListener('abort', run);
}

/** Cancels the countdown. */
export function cancelCount(): void {
  recorder?.close();
  recorder = null;
  step.value = 'setup';
}

export function togglePause(eventMs: number): void {
  if (step.value === 'run') {
    recorder?.pause(eventMs);
    pageSpans.pause(eventMs);
    step.value = 'paused';
    pause();
    announce(texts.said.paused);
  } else if (step.value === 'paused') {
    recorder?.go(eventMs);
    pageSpans.go(eventMs);
    step.value = 'run';
    if (!isRecorded()) play(1);
    announce(isRecorded() ? texts.said.recording : texts.said.playing);
  }
}

/** Ends the take and puts it on the timeline. */
export async function stopTake(eventMs: number): Promise<void> {
  if (step.value !== 'run' && step.value !== 'paused') return;
  step.value = 'end';
  pause();
  announce(texts.said.stopped);
  if (!isRecorded()) {
    const taken = inSeconds(putBack(performed.value), pageTimes());
    const at = startFrame.value;
    const seconds = secondsOf(Math.max(0, endOfTimeline - at) as Frames, rate.value);
    leaveTake();
    if (taken.acts.length === 0) return;
    edit(texts.perform, (draft) => putTake(draft, { at, seconds, performance: taken, clip: null }, rules.value));
    return;
  }
  notice.value = texts.saving;
  const state = await recorder!.stop(eventMs);
  const fault = recorder!.fault.value;
  const files = await keepTake(state?.files ?? [], project.value.studio.media);
  const acted = performed.value;
  const at = startFrame.value;
  const chosen = hasPicture() ? layout.value : null;
  leaveTake();
  if (fault !== null) say(texts.recorderFaults[fault], 'bad');
  if (state === null || files.length === 0) {
    if (state === null) await discardTake([name]);
    else await findUnfinished();
    if (fault === null) say(state === null ? texts.nothing : texts.unreadable, 'bad');
    return;
  }
  const taken = inSeconds(putBack(acted), state.times);
  const { seconds, times } = state;
  putRecording({ files, at, seconds, cuts: cutSeconds(times), performance: taken, layout: chosen });
  forgetLog();
}

function act(change: (before: Performance) => Performance, words: string): void {
  if (step.value !== 'run') return;
  performed.value = change(performed.value);
  announce(words);
  log();
}

/** Logs the actions, in case the page closes. */
function log(): void {
  if (!isRecorded()) return;
  const { times = pageTimes(), files = [] } = recorder?.state.value ?? {};
  const chosen = hasPicture() ? layout.value : null;
  writeLog({ name, files, at: startFrame.value, layout: chosen, performance: inSeconds(performed.value, times) });
}

export function nameOf(item: string): string {
  return decided.value.tier_list.items.find(({ id }) => id === item)?.name ?? item;
}

export function labelOf(row: string): string {
  return decided.value.tier_list.rows.find(({ id }) => id === row)?.label ?? row;
}

export function lift(item: string, eventMs: number): void {
  act((before) => pickUp(before, item, momentOf(eventMs)), texts.said.pickedUp(nameOf(item)));
}

export function land(row: string, eventMs: number, index?: number): void {
  const { up } = performed.value;
  if (up === null) return;
  act((before) => drop(before, row, momentOf(eventMs), index), texts.said.dropped(nameOf(up.item), labelOf(row)));
}

export function letGo(): void {
  const { up } = performed.value;
  if (up !== null) act(putBack, texts.said.putBack(nameOf(up.item)));
}

export function undoAct(): void {
  act(undoLast, texts.said.undone);
}

export const rowsNow = computed(() => seenRows(performed.value));
