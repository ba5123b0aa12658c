import {
  type FrameRate,
  type Frames,
  type Range,
  type Samples,
  sampleAtFrame,
  speedMillionths,
} from '../../../time.ts';
import type { VideoEntry } from '../../../timeline/request/clip-entries.ts';
import { clipPass } from '../../audio/clip-pass.ts';
import type { PlacedVideo } from '../place-clips.ts';
import type { PlanContext } from '../plan-context.ts';
import { pairTransitions } from './pair-transitions.ts';

/** The effect of transitions on a clip's sound; absent fields keep the clip's values. (C58) */
export interface Crossing {
  /** Samples for which it is heard behind its slot. */
  readonly beyond?: number;
  readonly comes?: number;
  readonly goes?: number;
}

/**
 * Sounds cross if both have sound inside their trims: from the cut on, as long as the first one lasts. If one is
 * silent, the other fades within its part of the transition. All presets share one sound: clips are paired by the
 * fields that hold for all presets.
 */
export function crossedSounds(videos: readonly PlacedVideo[], { rate }: PlanContext): Map<PlacedVideo, Crossing> {
  const crossings = new Map<PlacedVideo, Crossing>();
  const add = (video: PlacedVideo, crossing: Crossing) => {
    crossings.set(video, { ...crossings.get(video), ...crossing });
  };
  for (const [video, { from, before, after }] of pairTransitions(videos, ({ entry }) => layerOf(entry), rate)) {
    const cut = video.shows.start;
    const length = sampleAtFrame((cut + after) as Frames, rate) - sampleAtFrame(cut, rate);
    if (from === null || !isHeard(from)) {
      add(video, { comes: length });
      continue;
    }
    const beyond = Math.min(length, heardBehind(from, length, rate));
    const faded = sampleAtFrame(cut, rate) - sampleAtFrame((cut - before) as Frames, rate);
    add(from, { beyond, goes: isHeard(video) ? beyond : faded + beyond });
    add(video, { comes: beyond });
  }
  return crossings;
}

/** The samples that a clip's frames last. */
export function soundSlot({ shows }: PlacedVideo, rate: FrameRate): Range<Samples> {
  return { start: sampleAtFrame(shows.start, rate), end: sampleAtFrame(shows.end, rate) };
}

/** How many samples a clip has after its slot and inside its trim; at most `max`. */
function heardBehind(video: PlacedVideo, max: number, rate: FrameRate): number {
  const { start, end } = soundSlot(video, rate);
  const speed = speedMillionths(video.entry.speed);
  const slot = { start, end: (end + max) as Samples };
  const { heard } = clipPass({ slot, window: video.played.window, speed, loop: false });
  return Math.max(0, heard - (end - start));
}

function isHeard({ entry, facts }: PlacedVideo): boolean {
  return facts.sound && entry.gain > 0;
}

/** In which layer a clip fills the canvas of every preset that has no other place for it. */
function layerOf({ box, layer }: VideoEntry): string | null {
  const { x = 0, y = 0, width = 100, height = 100 } = box;
  return x === 0 && y === 0 && width === 100 && height === 100 ? (layer ?? 'below_board') : null;
}
