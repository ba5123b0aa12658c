import type { Frames, Range } from '../../time.ts';
import type { Canvas, Rect } from '../model/canvas.ts';
import type { ClipLayer, ClipTransition, Entrance, EntranceKind } from '../model/clip-layer.ts';
import type { LayerRef } from '../model/render-plan.ts';
import { passed } from '../reveal/passage.ts';

/** A clip's, or one that a theme has for titles. */
type AnyEntrance = Entrance<EntranceKind>;

/**
 * The entrance and exit of a picture: `fade_in` and `fade_out` of clips (C36), `enter` and `exit` of everything that is
 * placed (C48). If two of them overlap, their opacities multiply.
 */
export interface PictureEnvelope {
  readonly shows: Range<Frames>;
  readonly fadeIn?: Frames;
  readonly fadeOut?: Frames;
  readonly enter: AnyEntrance | null;
  readonly exit: AnyEntrance | null;
  /** Transitions from clip to clip: in these frames the two are one picture. (C58) */
  readonly transition?: Pick<ClipTransition, 'frames'> | null;
  readonly transitionOut?: Frames;
}

/** How much of a picture is seen, and how far it is from its place, in whole even pixels. */
export interface Presence {
  /** From 0 to 1. */
  readonly opacity: number;
  readonly x: number;
  readonly y: number;
  /** How much of it is seen, from its left edge; absent: all of it. Only titles are wiped. (R37) */
  readonly shown?: number;
}

/** A picture's place and its canvas: an entrance starts outside of them, an exit ends there. */
interface Surroundings {
  readonly rect: Rect;
  readonly canvas: Pick<Canvas, 'width' | 'height'>;
}

/** How far below its place a picture that rises begins, as a share of the canvas's height. */
const RISE = 0.05;
/** How far below it one begins that springs up or comes in steps, and how many steps: twelve a second. (R37) */
const SPRING = 0.12;
const STEPS = 4;

/** The effect of each entrance on a picture at this progress, from 0 to 1. (R20) */
const ENTRANCES: Readonly<Record<EntranceKind, (there: number, around: Surroundings) => Presence>> = {
  fade: (there) => ({ opacity: there, x: 0, y: 0 }),
  rise: (there, { canvas }) => ({ opacity: there, x: 0, y: even(away(there) * RISE * canvas.height) }),
  // From the nearer side of the canvas, wholly outside.
  slide: (there, { rect, canvas }) => {
    const fromLeft = rect.x + rect.width / 2 < canvas.width / 2;
    const outside = fromLeft ? -(rect.x + rect.width) : canvas.width - rect.x;
    return { opacity: 1, x: even(away(there) * outside), y: 0 };
  },
  wipe: (there) => ({ opacity: 1, x: 0, y: 0, shown: 1 - away(there) }),
  flicker: (there) => ({ opacity: passed({ curve: 'flicker', seconds: 1 }, there), x: 0, y: 0 }),
  spring: (there, { canvas }) => {
    const left = 1 - passed({ curve: 'overshoot', seconds: 1 }, there);
    return { opacity: Math.min(1, 3 * there), x: 0, y: even(left * SPRING * canvas.height) };
  },
  steps: (there, { canvas }) => {
    const done = Math.ceil(there * STEPS) / STEPS;
    return { opacity: 1, x: 0, y: even((1 - done) * SPRING * canvas.height) };
  },
};

/**
 * The presence of a picture at `rect` of the canvas at frame `n`; null if it is fully visible and in its place.
 *
 * A frame is computed for its middle, so that no frame of an entrance is empty, and an exit mirrors an entrance. (R4,
 * R20)
 */
export function presenceAt(
  envelope: PictureEnvelope,
  n: Frames,
  rect: Rect,
  canvas: Pick<Canvas, 'width' | 'height'>,
): Presence | null {
  const { start, end } = envelope.shows;
  let presence: Presence | null = null;
  const pass = ({ kind, frames }: AnyEntrance, done: number): void => {
    if (done >= frames) return;
    const { opacity, x, y, shown } = ENTRANCES[kind](done / frames, { rect, canvas });
    const before = presence ?? THERE;
    presence = {
      ...(shown === undefined ? before : { ...before, shown: (before.shown ?? 1) * shown }),
      ...{ opacity: before.opacity * opacity, x: before.x + x, y: before.y + y },
    };
  };
  for (const each of entrances(envelope)) pass(each, n - start + 0.5);
  for (const each of exits(envelope)) pass(each, end - n - 0.5);
  return presence;
}

const THERE: Presence = { opacity: 1, x: 0, y: 0 };

/** Whether any frame of `range` shows the picture less than whole, or not in its place. */
export function isEnteringOrExiting(envelope: PictureEnvelope, range: Range<Frames>): boolean {
  const { start, end } = envelope.shows;
  return (
    enterFrames(envelope).some((frames) => range.start < start + frames) ||
    exitFrames(envelope).some((frames) => range.end > end - frames)
  );
}

/** The frames at which entrances end and exits start, in order. Between two of them `isEnteringOrExiting` does not change. */
export function enterExitEdges(envelope: PictureEnvelope): Frames[] {
  const { start, end } = envelope.shows;
  const edges = [
    ...enterFrames(envelope).map((frames) => Math.min(start + frames, end)),
    ...exitFrames(envelope).map((frames) => Math.max(end - frames, start)),
  ];
  return edges.sort((a, b) => a - b) as Frames[];
}

/** Whether it can be away from its place during its entrance or exit. */
export function mayMove({ enter, exit }: PictureEnvelope): boolean {
  return enter !== null || exit !== null;
}

function enterFrames(envelope: PictureEnvelope): Frames[] {
  const own = entrances(envelope).map(({ frames }) => frames);
  return envelope.transition == null ? own : [...own, envelope.transition.frames];
}

function exitFrames(envelope: PictureEnvelope): Frames[] {
  const own = exits(envelope).map(({ frames }) => frames);
  return (envelope.transitionOut ?? 0) > 0 ? [...own, envelope.transitionOut!] : own;
}

function entrances({ fadeIn, enter }: PictureEnvelope): AnyEntrance[] {
  return withFade(fadeIn, enter);
}

function exits({ fadeOut, exit }: PictureEnvelope): AnyEntrance[] {
  return withFade(fadeOut, exit);
}

function withFade(fade: Frames | undefined, own: AnyEntrance | null): AnyEntrance[] {
  const all: AnyEntrance[] = own === null ? [] : [own];
  if (fade !== undefined && fade > 0) all.push({ kind: 'fade', frames: fade });
  return all;
}

function away(there: number): number {
  return (1 - there) ** 3;
}

/** Two pixels share a sample of colour. */
function even(px: number): number {
  return 2 * Math.round(px / 2);
}

/** The fades that overlap the range, and their progress at its start. */
export function fadesKey({ shows, fadeIn, fadeOut }: ClipLayer, range: Range<Frames>): unknown {
  const fadesIn = range.start < shows.start + fadeIn;
  const fadesOut = range.end > shows.end - fadeOut;
  return [fadesIn ? [fadeIn, range.start - shows.start] : null, fadesOut ? [fadeOut, shows.end - range.start] : null];
}

/** The entrance and exit that overlap the range, and their progress at its start. */
export function enterExitKey({ shows, enter, exit }: PictureEnvelope, range: Range<Frames>): unknown {
  const comes = enter !== null && range.start < shows.start + enter.frames;
  const goes = exit !== null && range.end > shows.end - exit.frames;
  return [
    comes ? [enter.kind, enter.frames, range.start - shows.start] : null,
    goes ? [exit.kind, exit.frames, shows.end - range.start] : null,
  ];
}

/** The transition that overlaps the range, its progress at its start, and the layer it comes from. (C58) */
export function clipTransitionKey(
  { shows, transition }: Pick<ClipLayer, 'shows' | 'transition'>,
  range: Range<Frames>,
  layers: readonly LayerRef[],
): unknown {
  if (transition === null || range.start >= shows.start + transition.frames) return null;
  const { kind, frames, from } = transition;
  const place = layers.findIndex((ref) => ref.kind === 'clip' && ref.index === from);
  return [kind, frames, range.start - shows.start, place];
}
