import { batch, effect } from '@preact/signals';
import { type Frames, frameAt, secondsOf } from '../../../time.ts';
import { putBack } from '../../document/take/performance.ts';
import { putTake } from '../../document/take/put-take.ts';
import { studioConfig } from '../../kit/assets.ts';
import { announce, say } from '../../kit/messages.ts';
import { edit, playhead, playing, project, rate, selection } from '../../session/session.ts';
import { unfinishedTakes } from '../../session/take.ts';
import { timeRules } from '../../session/timeline.ts';
import { begunAt, lengthInFrames, pause, play } from '../../session/transport.ts';
import * as texts from '../../texts/en/take.ts';
import { cutSeconds, TakeSpans, takeSeconds } from '../clock/take-times.ts';
import { choices, delayOf, videoBitrate } from '../devices.ts';
import { discardTake, keepTake } from '../keep-take.ts';
import { putRecording } from '../put-recording.ts';
import { browserEnding, openBrowserRecorder } from '../record/browser-recorder.ts';
import { hasOwnRecorder, openRecorder } from '../record/open-recorder.ts';
import { forgetLog } from '../take-log.ts';
import { findUnfinished } from '../unfinished.ts';
import { leaveTake, onLeave } from './enter-take.ts';
import { logTake } from './take-acts.ts';
import { inSeconds, pageTimes } from './take-moments.ts';
import {
  counted,
  elapsed,
  framesBefore,
  hasPicture,
  isRecorded,
  pageSpans,
  performed,
  recording,
  startFrame,
  stream,
  takeLayout,
  takeStep,
} from './take-state.ts';

const COUNTS = 3;
const COUNT_MS = 1000;

let starts = 0;

/** Counts down, then records. */
export async function startTake(): Promise<void> {
  if (takeStep.value !== 'setup') return;
  const source = stream.value;
  if (isRecorded() && source === null) return;
  starts += 1;
  const start = starts;
  // A countdown that was cancelled does not continue with the next one.
  const isCounting = () => start === starts && takeStep.peek() === 'count';
  batch(() => {
    takeStep.value = 'count';
    elapsed.value = 0;
    counted.value = choices.value.countDown ? COUNTS : 0;
    selection.value = { kind: 'none' };
  });
  if (source !== null) record(source);
  void navigator.wakeLock?.request('screen').then(
    (lock) => onLeave(() => void lock.release()),
    () => {},
  );
  while (counted.value > 0) {
    announce(String(counted.value));
    await new Promise((resolve) => setTimeout(resolve, COUNT_MS));
    if (!isCounting()) return;
    counted.value -= 1;
  }
  const recorder = recording.value?.recorder;
  await recorder?.ready;
  if (!isCounting()) return;
  pageSpans.value = new TakeSpans();
  if (await run(isCounting, performance.now())) logTake();
}

/** Records from an event on, or plays. A voice-over begins when the playback is heard. @returns false if it is not wanted any more. */
async function run(isWanted: () => boolean, eventMs: number): Promise<boolean> {
  const isOver = playhead.value >= lengthInFrames() - 1;
  const heardMs = choices.value.source === 'voice' && !isOver ? await playHeard() : null;
  if (!isWanted()) return false;
  const at = heardMs ?? eventMs;
  recording.value?.recorder.go(at);
  pageSpans.value.go(at);
  takeStep.value = 'run';
  announce(isRecorded() ? texts.said.recording : texts.said.playing);
  if (!isRecorded()) play(1);
  return true;
}

/** Plays, and resolves with the page time at which the first frame is seen and heard; null if playback stops before. */
function playHeard(): Promise<number | null> {
  play(1);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const stop = effect(() => {
    if (begunAt.value !== null || !playing.value) resolve(begunAt.value);
  });
  return promise.finally(stop);
}

function record(source: MediaStream): void {
  const [video] = source.getVideoTracks();
  const [audio] = source.getAudioTracks();
  const isOwn = hasOwnRecorder();
  const name = `take-${Date.now()}${isOwn ? '.mp4' : browserEnding(source)}`;
  const recorder = (isOwn ? openRecorder : openBrowserRecorder)(source, {
    name,
    delays: { picture: delayOf(video), sound: delayOf(audio) },
    videoBitrate: videoBitrate(video),
    maxBytes: studioConfig.fileLimits.maxFileBytes,
  });
  recording.value = { name, recorder };
  // The lock tells other tabs that the recording is in progress.
  void navigator.locks?.request(name, () => new Promise<void>((resolve) => onLeave(resolve)));
}

export function togglePause(eventMs: number): void {
  const recorder = recording.value?.recorder;
  if (takeStep.value === 'run') {
    recorder?.pause(eventMs);
    pageSpans.value.pause(eventMs);
    takeStep.value = 'paused';
    pause();
    announce(texts.said.paused);
  } else if (takeStep.value === 'paused' && !playing.value) {
    if (isRecorded()) playhead.value = startFrame.value + frameAt(takeSeconds(pageTimes(), eventMs), rate.value);
    void run(() => takeStep.peek() === 'paused', eventMs);
  }
}

/** Ends the take and puts it on the timeline. */
export async function stopTake(eventMs: number): Promise<void> {
  if (takeStep.value !== 'run' && takeStep.value !== 'paused') return;
  takeStep.value = 'end';
  pause();
  announce(texts.said.stopped);
  if (recording.value === null) putPerformed();
  else await putRecorded(recording.value, eventMs);
}

/** Puts the actions over the existing timeline. */
function putPerformed(): void {
  const taken = inSeconds(putBack(performed.value), pageTimes());
  const at = startFrame.value;
  const seconds = secondsOf(Math.max(0, framesBefore.value.end - at) as Frames, rate.value);
  leaveTake();
  if (taken.acts.length === 0) return;
  edit(texts.perform, (draft) => putTake(draft, { at, seconds, performance: taken, clip: null }, timeRules.value));
}

/** Saves the recording and puts it on the timeline with the actions. */
async function putRecorded(
  { name, recorder }: NonNullable<(typeof recording)['value']>,
  eventMs: number,
): Promise<void> {
  const state = await recorder.stop(eventMs);
  const fault = recorder.fault.value;
  const files = await keepTake(state?.files ?? [], project.value.studio.media);
  const acted = performed.value;
  const at = startFrame.value;
  const chosen = hasPicture() ? takeLayout.value : null;
  leaveTake();
  const isUnshared = fault === 'picture_ended' && choices.value.source === 'screen';
  const why = fault && (isUnshared ? texts.sharingEnded : texts.recorderFaults[fault]);
  if (state === null || files.length === 0) {
    if (state === null) await discardTake([name]);
    else await findUnfinished();
    const isFound = unfinishedTakes.value.some((take) => take.name === name);
    say(texts.takeEnded(why, isFound ? texts.unreadable : texts.nothing), 'bad');
    return;
  }
  const isWhole = files.length === state.files.length;
  if (why !== null || !isWhole) say(texts.takeEnded(why, isWhole ? texts.kept : texts.keptInPart), 'bad');
  const taken = inSeconds(putBack(acted), state.times);
  const { seconds, times } = state;
  putRecording({ files, at, seconds, cuts: cutSeconds(times), performance: taken, layout: chosen });
  forgetLog();
}
