import { computed, signal } from '@preact/signals';
import { type Frames, frames } from '../../../time.ts';
import type { LayoutName } from '../../document/layout-commands.ts';
import { type Performance, seenRows } from '../../document/take/performance.ts';
import * as texts from '../../texts/en/take.ts';
import { TakeSpans } from '../clock/take-times.ts';
import { choices, type DeviceFault } from '../devices.ts';
import type { Recorder } from '../record/open-recorder.ts';

/** The steps of a take: set-up, countdown, running, paused, saving. */
type Step = 'setup' | 'count' | 'run' | 'paused' | 'end';

/** Where on the timeline the take starts. */
type Where = 'start' | 'playhead' | 'end';

export const takeStep = signal<Step>('setup');
export const stream = signal<MediaStream | null>(null);
export const deviceFault = signal<DeviceFault | null>(null);
/** The remaining count; 0 when it is over. */
export const counted = signal(0);
/** Seconds of the take so far. */
export const elapsed = signal(0);
export const performed = signal<Performance>({ start: [], acts: [], up: null });
export const takeLayout = signal<LayoutName>('right');
export const where = signal<Where>('start');
/** Whether the page is in the background. */
export const isHidden = signal(false);
/** The recorder and the name of its first file, from the countdown on. */
export const recording = signal<{ readonly name: string; readonly recorder: Recorder } | null>(null);
/** The spans of the take on the page's clock, for the live preview. */
export const pageSpans = signal(new TakeSpans());
/** The playhead and the last frame before the take, which changes both. */
export const framesBefore = signal({ playhead: 0, end: 0 });

/** The first frame of the take. */
export const startFrame = computed<Frames>(() => {
  if (where.value === 'start') return frames(0);
  return frames(framesBefore.value[where.value]);
});

/** What to report during the take: the most important of what applies now. */
export const notice = computed<string | null>(() => {
  const state = recording.value?.recorder.state.value;
  if (takeStep.value === 'end') return recording.value && texts.saving;
  if (takeStep.value !== 'run') return null;
  if (isHidden.value && recording.value !== null) return texts.hidden;
  if (state?.isReduced) return texts.reduced;
  return state?.isBehind ? texts.behind : null;
});

export const rowsNow = computed(() => seenRows(performed.value));

/** Whether cards are ranked in this take; a voice-over does not rank. */
export const isPerformed = computed(() => choices.value.source !== 'voice');

export function isRecorded(): boolean {
  return choices.value.source !== 'play';
}

export function hasPicture(): boolean {
  return choices.value.source === 'camera' || choices.value.source === 'screen';
}
