import { signal } from '@preact/signals';
import { type Frames, secondsOf } from '../../time.ts';
import { takeOpen } from './open-take.ts';
import { planned, playhead, playing, rate, shownPresetName } from './session.ts';

/** Playback speed: 1 is normal, negative runs backwards. */
export const speed = signal(1);
/** Whether playback restarts at the end. A take plays once. */
export const looping = signal(false);
/** The page time at which the running playback began; null until it is seen and heard. */
export const begunAt = signal<number | null>(null);

/** The sound player, if there is one. It is also the clock, since gaps in sound are more noticeable than skipped frames. */
export interface Sound {
  /** Starts at a frame; resolves when sound is audible. */
  start(frame: number): Promise<void>;
  stop(): void;
  /** Seconds of the timeline played since `start`; null if nothing plays. */
  elapsed(): number | null;
}

let sound: Sound | null = null;
let stopRunning: (() => void) | null = null;

export function setSound(player: Sound): void {
  sound = player;
}

/** Length of the planned video in frames; 0 if there is none. */
export function lengthInFrames(): number {
  const { plans } = planned.value;
  return (plans.get(shownPresetName.value) ?? plans.values().next().value)?.totalFrames ?? 0;
}

/** Moves the playhead to a frame within the video. */
export function seek(frame: number): void {
  const last = Math.max(0, lengthInFrames() - 1);
  playhead.value = Math.min(Math.max(0, Math.round(frame)), last);
  if (playing.value) void run();
}

export function stepFrames(byFrames: number): void {
  pause();
  seek(playhead.value + byFrames);
}

export function togglePlay(): void {
  if (playing.value) pause();
  else play(1);
}

export function play(at: number): void {
  if (lengthInFrames() === 0) return;
  speed.value = at;
  if (at > 0 && playhead.value >= lengthInFrames() - 1) playhead.value = 0;
  playing.value = true;
  void run();
}

export function pause(): void {
  playing.value = false;
  begunAt.value = null;
  stopRunning?.();
  stopRunning = null;
}

/** J K L: another press is faster, the opposite direction stops first. */
export function shuttle(direction: -1 | 1): void {
  const now = playing.value ? speed.value : 0;
  if (now * direction < 0) pause();
  else play(direction * Math.min(8, now === 0 ? 1 : Math.abs(now) * 2));
}

/** Advances the playhead with each display frame. */
async function run(): Promise<void> {
  stopRunning?.();
  begunAt.value = null;
  const from = playhead.value;
  const at = speed.value;
  let begun: number | null = null;
  let request = 0;
  let stopped = false;
  stopRunning = () => {
    stopped = true;
    cancelAnimationFrame(request);
    sound?.stop();
  };
  const heard = at === 1 ? sound : null;
  await heard?.start(from);
  if (stopped) return;
  const tick = (now: number): void => {
    begun ??= now;
    const elapsed = heard?.elapsed() ?? (now - begun) / 1000;
    const { num, den } = rate.value;
    const frame = Math.floor(from + (elapsed * at * num) / den + 1e-6);
    const end = lengthInFrames();
    if (frame >= end || frame < 0) {
      arrive(end);
      return;
    }
    playhead.value = frame;
    if (elapsed > 0) begunAt.value ??= performance.now() - elapsed * 1000;
    request = requestAnimationFrame(tick);
  };
  request = requestAnimationFrame(tick);
}

function arrive(end: number): void {
  const isForward = speed.value > 0;
  playhead.value = isForward ? Math.max(0, end - 1) : 0;
  if (looping.value && isForward && !takeOpen.value) {
    playhead.value = 0;
    void run();
  } else pause();
}

/** 0:37.400: minutes, seconds, thousandths. */
export function timecode(frame: number): string {
  const ms = Math.round(secondsOf(frame as Frames, rate.value) * 1000);
  const [minutes, rest] = [Math.floor(ms / 60_000), ms % 60_000];
  const hours = Math.floor(minutes / 60);
  const clock = `${Math.floor(rest / 1000)}`.padStart(2, '0');
  const head = hours > 0 ? `${hours}:${String(minutes % 60).padStart(2, '0')}` : `${minutes}`;
  return `${head}:${clock}.${String(rest % 1000).padStart(3, '0')}`;
}

/** Short-term loudness of the playback, in tenths of LUFS; null if silent. */
export const heardLoudness = signal<number | null>(null);

/** Whether this page is muted. It does not affect the export. */
export const isMuted = signal(false);
