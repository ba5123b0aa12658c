import { computed, effect } from '@preact/signals';
import { type Frames, frameAt, secondsOf } from '../../../time.ts';
import { applyLayout } from '../../document/layout-commands.ts';
import { boardBefore } from '../../document/take/kept-acts.ts';
import { putRunningTake } from '../../document/take/put-take.ts';
import { studioConfig } from '../../kit/assets.ts';
import { beginGesture, decided, playhead, playing, rate } from '../../session/session.ts';
import { timeRules } from '../../session/timeline.ts';
import * as texts from '../../texts/en/take.ts';
import { takeSeconds } from '../clock/take-times.ts';
import { onLeave } from './enter-take.ts';
import { PreviewPace } from './preview-pace.ts';
import { stopTake } from './run-take.ts';
import { logTake } from './take-acts.ts';
import { inSeconds, pageTimes } from './take-moments.ts';
import {
  elapsed,
  framesBefore,
  hasPicture,
  isPerformed,
  isRecorded,
  performed,
  recording,
  startFrame,
  takeLayout,
  takeStep,
} from './take-state.ts';

/** The board is planned minutes ahead: a new plan at every tick would take time from the encoder. */
const wholeMinutes = computed(() => Math.floor(elapsed.value / 60));

/** Interval of the live preview, which leaves the rest of the time to the encoder. */
const FOLLOW_MS = 66;

/** Updates the live preview and watches the recorder until the take is left. Everything shown is one gesture, which ends with the take. */
export function followTake(): void {
  const gesture = beginGesture();
  logged = 0;
  pace = new PreviewPace();
  onLeave(
    effect(() => {
      if (takeStep.value !== 'setup') return;
      playhead.value = startFrame.value;
      performed.value = { start: boardBefore(decided.value, startFrame.value, timeRules.peek()), acts: [], up: null };
    }),
  );
  onLeave(
    effect(() => {
      const at = startFrame.value;
      const chosen = takeLayout.value;
      const shown = inSeconds(performed.value, pageTimes());
      const seconds = wholeMinutes.value * 60;
      if (!isPerformed.value) {
        gesture.change(texts.record, () => {});
        return;
      }
      gesture.change(texts.recordTake, (draft) => {
        putRunningTake(draft, { at, seconds, performance: shown }, isRecorded(), timeRules.peek());
        if (hasPicture()) applyLayout(draft, chosen, studioConfig.presets);
      });
    }),
  );
  const timer = setInterval(watch, FOLLOW_MS);
  onLeave(() => clearInterval(timer));
  onLeave(() => gesture.cancel());
}

/** The files in the last log. */
let logged = 0;
let pace = new PreviewPace();

/** Moves the playhead, and stops the take if the recorder has ended. */
function watch(): void {
  const recorder = recording.value?.recorder;
  // A device can be lost in a pause too.
  if (recorder?.fault.value != null) void stopTake(performance.now());
  if (takeStep.value !== 'run') return;
  if (!isRecorded()) {
    elapsed.value = secondsOf((playhead.value - startFrame.value) as Frames, rate.value);
    // The board is planned beyond the end of the timeline.
    const { end } = framesBefore.value;
    const hasEnded = startFrame.value < end && playhead.value >= end;
    if (!playing.value || hasEnded) void stopTake(performance.now());
    return;
  }
  elapsed.value = takeSeconds(pageTimes(), performance.now());
  const state = recorder?.state.value;
  const isDue = pace.isDue(performance.now(), state?.dropped ?? 0);
  if (hasPicture() && isDue) playhead.value = startFrame.value + frameAt(elapsed.value, rate.value);
  if (state != null && state.files.length !== logged) {
    logged = state.files.length;
    logTake();
  }
}
