import { computed, effect } from '@preact/signals';
import { type Frames, secondsOf } from '../../../time.ts';
import { isOn, laneKey } from '../../document/lane-switches.ts';
import { defaultOrder, recordTaps } from '../../document/reveals.ts';
import { say } from '../../kit/messages.ts';
import { putTimeline, timeRules } from '../../session/edit-timeline.ts';
import {
  beginGesture,
  face,
  mediaShelf,
  playhead,
  playing,
  project,
  type RunningGesture,
  rate,
  timelineData,
} from '../../session/session.ts';
import { pause, play } from '../../session/transport.ts';
import * as texts from '../../texts/en/timeline.ts';
import { recording } from './recording.ts';
import { nameOfItem } from './timeline-actions.ts';

let gesture: RunningGesture | null = null;

/** The item of the next tap; null if all are revealed. */
export const nextUp = computed(() => {
  const now = recording.value;
  const id = now?.order[now.taps.length];
  return id === undefined ? null : nameOfItem(id);
});
export const tapsLeft = computed(() => {
  const now = recording.value;
  return now === null ? 0 : now.order.length - now.taps.length;
});

/** Plays from the playhead; each tap reveals the next item. The whole recording is one undo step. */
export function startRecording(): void {
  if (isOn(mediaShelf.value.lanes, laneKey('tier_tiles'), 'locked')) {
    say(texts.revealsLocked);
    return;
  }
  const now = secondsOf(playhead.value as Frames, rate.value);
  const tiles = timelineData.value.tier_tiles ?? [];
  // Earlier reveals stay. The other items follow in their current order, then in reveal order.
  const before = new Set(tiles.filter(({ position }) => position < now).map((tile) => tile.tier_item_id));
  const later = tiles.filter(({ position }) => position >= now).toSorted((a, b) => a.position - b.position);
  const order = new Set([...later.map((tile) => tile.tier_item_id), ...defaultOrder(project.value.tier_list)]);
  const left = [...order].filter((id) => !before.has(id));
  if (order.size === 0) {
    say(texts.nothingToReveal);
    return;
  }
  if (left.length === 0) {
    say(texts.allRevealed);
    return;
  }
  // The user taps along with the video, so it must be visible.
  if (document.querySelector('.preview')?.checkVisibility() !== true) face.value = 'preview';
  gesture = beginGesture();
  recording.value = { order: left, taps: [] };
  play(1);
  const stopWatching = effect(() => {
    if (playing.value) return;
    queueMicrotask(() => {
      stopWatching();
      stopRecording();
    });
  });
}

export function tap(): void {
  const now = recording.value;
  if (now === null || now.taps.length >= now.order.length) return;
  const taps = [...now.taps, playhead.value as Frames];
  recording.value = { ...now, taps };
  const before = timelineData.peek();
  const after = recordTaps(before, now.order, taps, timeRules.peek());
  gesture?.change(texts.recordReveals(taps.length), (draft) => putTimeline(draft, before, after));
}

export function stopRecording(): void {
  if (recording.value === null) return;
  recording.value = null;
  gesture?.end();
  gesture = null;
  pause();
}
