import {
  type FrameRate,
  type Frames,
  type Micros,
  microsAt,
  type Range,
  secondsOfMicros,
  sourceElapsed,
  speedMillionths,
} from '../../time.ts';
import type { MediaRef } from '../../timeline/export-request.ts';
import type { ClipLayer } from '../model/clip-layer.ts';
import { type PlacedTransition, pairTransitions, warnOfTransitions } from './pair-transitions.ts';
import type { PlacedVideo } from './place-clips.ts';
import { NO_ENTER_EXIT, placeEnterExit, placeFades } from './place-envelope.ts';
import type { PlanContext } from './plan-context.ts';

/** A clip that will be drawn unless something hides it all the time; only then does the plan take up its file. */
export interface ClipCandidate extends Omit<ClipLayer, 'source'> {
  readonly media: MediaRef;
}

/** The clips for placed videos; none for a video outside the canvas. */
export function clipsOnCanvas(videos: readonly PlacedVideo[], context: PlanContext): ClipCandidate[] {
  const { rate } = context;
  const found = pairTransitions(videos, layerOf, rate);
  warnOfTransitions(videos, found, context);
  const next = new Map<PlacedVideo, PlacedVideo>();
  for (const [video, { from }] of found) if (from !== null) next.set(from, video);
  const drawn = videos.filter(({ geometry }) => geometry !== null);
  const indices = new Map(drawn.map((video, index) => [video, index]));
  const indexOf = (video: PlacedVideo | null) => (video === null ? null : indices.get(video)!);
  return drawn.map((video) => {
    const [taken, after] = [found.get(video), next.get(video)];
    const left = after && found.get(after)!;
    return {
      ...clipBetween(video, taken, left, rate),
      shows: { start: earlier(video.shows.start, taken), end: later(video.shows.end, left) },
      lead: taken?.before ?? NONE,
      trim: left === undefined ? video.played.trim : trimBeyond(video, left.after, rate),
      ...(taken !== undefined && comingBy(taken, isFaded(video, taken), indexOf(taken.from))),
      ...(left !== undefined && { [isFaded(after!, left) ? 'fadeOut' : 'transitionOut']: framesOf(left) }),
    };
  });
}

const NONE = 0 as Frames;

/** In which layer a clip fills the canvas. */
function layerOf({ fillsCanvas, geometry }: PlacedVideo): string | null {
  return fillsCanvas && geometry !== null ? (geometry.isAboveBoard ? 'above_board' : 'below_board') : null;
}

/**
 * In front of a board, clips that show the layers below them fade: these layers are known only at composition. (C54)
 */
function isFaded({ geometry, facts }: PlacedVideo, { from }: PlacedTransition): boolean {
  return geometry!.isAboveBoard && (from === null || facts.alpha || from.facts.alpha);
}

function comingBy(taken: PlacedTransition, isFade: boolean, from: number | null): Partial<ClipCandidate> {
  const frames = framesOf(taken);
  return isFade ? { fadeIn: frames } : { transition: { kind: taken.kind, frames, from } };
}

function framesOf({ before, after }: PlacedTransition): Frames {
  return (before + after) as Frames;
}

function earlier(start: Frames, taken: PlacedTransition | undefined): Frames {
  return (start - (taken?.before ?? 0)) as Frames;
}

function later(end: Frames, left: PlacedTransition | undefined): Frames {
  return (end + (left?.after ?? 0)) as Frames;
}

/**
 * A clip that plays up to its cut continues past it, as far as its file goes; one that holds its last frame goes on
 * holding it. (C58)
 */
function trimBeyond({ entry, facts, played, shows }: PlacedVideo, after: Frames, rate: FrameRate): Range<Micros> {
  const { start, end } = played.trim;
  const isHeld = (played.end - entry.start) * entry.speed > secondsOfMicros(end - start + 1);
  if (facts.kind !== 'video' || isHeld) return played.trim;
  const reached = sourceElapsed((shows.end - shows.start + after) as Frames, rate, speedMillionths(entry.speed));
  return { start, end: Math.max(end, Math.min(microsAt(facts.duration), start + reached)) as Micros };
}

/** A clip without its transitions: its other entrances and exits stay between them. */
function clipBetween(
  video: PlacedVideo,
  taken: PlacedTransition | undefined,
  left: PlacedTransition | undefined,
  rate: FrameRate,
): ClipCandidate {
  const { entry, facts, played, geometry } = video;
  const shows = {
    start: (video.shows.start + (taken?.after ?? 0)) as Frames,
    end: (video.shows.end - (left?.before ?? 0)) as Frames,
  };
  const slot = { time: { start: entry.start, end: played.end }, shows, rate };
  const { enter, exit, duration } = entry.enterExit;
  const fades = { fadeIn: taken ? 0 : entry.fadeIn, fadeOut: left ? 0 : entry.fadeOut };
  const passing = { enter: taken ? null : enter, exit: left ? null : exit, duration };
  return {
    id: entry.id,
    path: entry.path,
    media: entry.media,
    kind: facts.kind === 'still' || facts.kind === 'animation' ? facts.kind : 'video',
    shows: video.shows,
    trim: played.trim,
    lead: NONE,
    speed: speedMillionths(entry.speed),
    loop: facts.kind === 'animation',
    ...geometry!,
    alpha: facts.alpha,
    ...placeFades(fades, slot),
    ...placeEnterExit(passing, slot, NO_ENTER_EXIT),
    transition: null,
    transitionOut: NONE,
  };
}
