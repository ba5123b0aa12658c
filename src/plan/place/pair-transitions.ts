import { type FrameRate, type Frames, frameAt, secondsOf } from '../../time.ts';
import { pointer } from '../../timeline/json/json-pointer.ts';
import type { ClipLayer, ClipTransition } from '../model/clip-layer.ts';
import type { PlacedVideo } from './place-clips.ts';
import type { PlanContext } from './plan-context.ts';

/** How a clip replaces another, around the frame at which it begins. */
export interface PlacedTransition {
  readonly kind: ClipTransition['kind'];
  /** The clip that ends at that frame; null: there is none, and the transition starts from the layers below. */
  readonly from: PlacedVideo | null;
  /** Frames of the transition before the cut, and from it on. */
  readonly before: Frames;
  readonly after: Frames;
  readonly isShortened: boolean;
}

type PlacedTransitions = ReadonlyMap<PlacedVideo, PlacedTransition>;

/**
 * Pairs clips that meet to the frame. A transition takes at most half of each of its clips, rounded so that two never share a
 * frame. (C58)
 *
 * @param layerOf in which layer a clip fills the canvas; null: it does not.
 */
export function pairTransitions(
  videos: readonly PlacedVideo[],
  layerOf: (video: PlacedVideo) => string | null,
  rate: FrameRate,
): PlacedTransitions {
  const endingAt = Map.groupBy(videos, (video) => `${layerOf(video)} ${video.shows.end}`);
  const found = new Map<PlacedVideo, PlacedTransition>();
  /** Frames that the transition at its end takes of a clip. */
  const given = new Map<PlacedVideo, number>();
  const alone: PlacedVideo[] = [];
  for (const video of videos) {
    const { entry, shows } = video;
    const layer = layerOf(video);
    if (entry.transition === null || layer === null) continue;
    const from = endingAt.get(`${layer} ${shows.start}`)?.pop();
    if (from === undefined) {
      alone.push(video);
      continue;
    }
    const { kind, duration } = entry.transition;
    const wanted = {
      before: shows.start - frameAt(Math.max(0, entry.start - duration / 2), rate),
      after: Math.max(1, frameAt(entry.start + duration / 2, rate) - shows.start),
    };
    const max = Math.min(lengthOf(from), lengthOf(video));
    const isShortened = wanted.before + wanted.after > max;
    const before = Math.min(isShortened ? max >> 1 : wanted.before, lengthOf(from) >> 1) as Frames;
    const after = Math.min(isShortened ? max - before : wanted.after, (lengthOf(video) + 1) >> 1) as Frames;
    found.set(video, { kind, from, before, after, isShortened });
    given.set(from, before);
  }
  for (const video of alone) {
    const { kind, duration } = video.entry.transition!;
    const wanted = Math.max(1, frameAt(video.entry.start + duration, rate) - video.shows.start);
    const after = Math.min(wanted, lengthOf(video) - (given.get(video) ?? 0)) as Frames;
    found.set(video, { kind, from: null, before: 0 as Frames, after, isShortened: after < wanted });
  }
  return found;
}

/** Warns about transitions that cannot be done as requested. (C58) */
export function warnOfTransitions(
  videos: readonly PlacedVideo[],
  found: PlacedTransitions,
  { rate, issues }: Pick<PlanContext, 'rate' | 'issues'>,
): void {
  for (const video of videos) {
    const { entry, geometry } = video;
    if (entry.transition === null || geometry === null) continue;
    const path = pointer(entry.path, 'transition');
    const taken = found.get(video);
    if (taken === undefined) {
      const message = 'A transition is for clips that fill the canvas. This clip has a box: it starts with a cut.';
      issues.warn(path, 'transition.boxed', message);
      continue;
    }
    const { from, before, after, isShortened } = taken;
    if (from === null) {
      const message =
        'No clip of the same layer fills the canvas and ends where this one starts: it transitions from the background.';
      issues.warn(path, 'transition.no_neighbour', message);
    }
    if (isShortened) {
      const seconds = Number(secondsOf((before + after) as Frames, rate).toFixed(3));
      const message = `A transition is at most as long as its clips: it lasts ${seconds} s.`;
      issues.warn(pointer(path, 'duration'), 'transition.shortened', message);
    }
    const replaced = [...givenFields(video, COMING), ...(from === null ? [] : givenFields(from, GOING))];
    for (const field of replaced) {
      issues.warn(field, 'transition.replaces', `The transition at ${path} replaces this field.`);
    }
  }
}

type Entry = PlacedVideo['entry'];
const COMING: Readonly<Record<string, (entry: Entry) => boolean>> = {
  fade_in: ({ fadeIn }) => fadeIn > 0,
  enter: ({ enterExit }) => (enterExit.enter ?? 'none') !== 'none',
};
const GOING: typeof COMING = {
  fade_out: ({ fadeOut }) => fadeOut > 0,
  exit: ({ enterExit }) => (enterExit.exit ?? 'none') !== 'none',
};

function givenFields({ entry }: PlacedVideo, fields: typeof COMING): string[] {
  return Object.keys(fields).flatMap((field) => (fields[field]!(entry) ? [pointer(entry.path, field)] : []));
}

function lengthOf({ shows }: Pick<ClipLayer, 'shows'>): number {
  return shows.end - shows.start;
}
