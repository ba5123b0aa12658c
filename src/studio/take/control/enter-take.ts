import { batch } from '@preact/signals';
import { layoutOf } from '../../document/layout-commands.ts';
import { studioConfig } from '../../kit/assets.ts';
import { decided, playhead } from '../../session/session.ts';
import { takeOpen } from '../../session/take.ts';
import { lastFrame } from '../../session/timeline.ts';
import { pause } from '../../session/transport.ts';
import { choices, closeDevices, openDevices } from '../devices.ts';
import {
  deviceFault,
  elapsed,
  framesBefore,
  isHidden,
  isRecorded,
  recording,
  stream,
  takeLayout,
  takeStep,
  where,
} from './take-state.ts';

let openings = 0;
let ended = new AbortController();

/** Whether the timeline has a recorded clip. */
export function hasTake(): boolean {
  const { timeline_data, studio } = decided.value;
  return timeline_data.videos.some(({ file_field: field }) => studio.media[field]?.recorded === true);
}

/** Opens the set-up. */
export function enterTake(): void {
  pause();
  ended = new AbortController();
  framesBefore.value = { playhead: playhead.value, end: lastFrame.value };
  preselectStart();
  takeLayout.value = layoutOf(decided.value, studioConfig.presets) ?? 'right';
  takeStep.value = 'setup';
  elapsed.value = 0;
  void openStream();
  const on = { signal: ended.signal };
  const lookHidden = () => {
    isHidden.value = document.hidden;
  };
  lookHidden();
  document.addEventListener('visibilitychange', lookHidden, on);
  addEventListener(
    'beforeunload',
    (event) => {
      if (takeStep.value !== 'setup') event.preventDefault();
    },
    on,
  );
}

/** Preselects where the take starts: a voice-over at the playhead, as a take that continues another one. */
export function preselectStart(): void {
  const continues = hasTake() && framesBefore.value.playhead > 0;
  where.value = choices.value.source === 'voice' || continues ? 'playhead' : 'start';
}

/** Leaves the take and discards what is shown. */
export function leaveTake(): void {
  ended.abort();
  closeRecorder();
  closeDevices(stream.value);
  batch(() => {
    stream.value = null;
    takeOpen.value = false;
    playhead.value = framesBefore.value.playhead;
  });
}

/** Calls a function when the take is left. */
export function onLeave(run: () => void): void {
  ended.signal.addEventListener('abort', run);
}

function closeRecorder(): void {
  recording.value?.recorder.close();
  recording.value = null;
}

/** Cancels the countdown. */
export function cancelCount(): void {
  pause();
  closeRecorder();
  takeStep.value = 'setup';
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
  if (opened instanceof MediaStream) {
    stream.value = opened;
    for (const track of opened.getTracks()) track.addEventListener('ended', () => lostTrack(opened, track));
  } else deviceFault.value = opened;
}

/** A device was unplugged, or the user has stopped sharing. Once the take runs, the recorder reports it. */
function lostTrack(of: MediaStream, { kind }: MediaStreamTrack): void {
  if (stream.value !== of) return;
  if (takeStep.value === 'count') cancelCount();
  if (takeStep.value !== 'setup') return;
  closeDevices(of);
  stream.value = null;
  deviceFault.value = kind === 'video' && choices.value.source === 'screen' ? 'not_shared' : 'unplugged';
}
