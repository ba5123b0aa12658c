import type { Frames, Range } from '../time.ts';
import type { Canvas, Rect, Transition } from './render-plan.ts';

/** Something that comes and goes. (C48) */
export interface Passing {
  readonly shows: Range<Frames>;
  readonly enter: Transition | null;
  readonly exit: Transition | null;
}

/** How much of something is seen, and how far it is from its place, in whole even pixels. */
export interface Presence {
  /** From 0 to 1. */
  readonly opacity: number;
  readonly x: number;
  readonly y: number;
}

/** How far below its place something that rises begins, as a share of the canvas's height. */
const RISE = 0.05;

/**
 * How something at `rect` of the canvas is there at frame `n`; null where it simply is. A frame stands for its middle, as in
 * fades: no frame of a transition shows nothing, and coming is going backwards. (R20)
 */
export function presenceAt(
  passing: Passing,
  n: Frames,
  rect: Rect,
  canvas: Pick<Canvas, 'width' | 'height'>,
): Presence | null {
  const { shows, enter, exit } = passing;
  const entered = n - shows.start + 0.5;
  const left = shows.end - n - 0.5;
  if (enter !== null && entered < enter.frames) return presence(enter, entered / enter.frames, rect, canvas);
  if (exit !== null && left < exit.frames) return presence(exit, left / exit.frames, rect, canvas);
  return null;
}

/** Whether it is on its way in or out at frame `n`. */
export function isPassing({ shows, enter, exit }: Passing, n: Frames): boolean {
  return (enter !== null && n < shows.start + enter.frames) || (exit !== null && n >= shows.end - exit.frames);
}

/** The frames at which it has come, and at which it begins to go. */
export function passingEdges({ shows, enter, exit }: Passing): Frames[] {
  const edges: number[] = [];
  if (enter !== null) edges.push(Math.min(shows.end, shows.start + enter.frames));
  if (exit !== null) edges.push(Math.max(shows.start, shows.end - exit.frames));
  return edges as Frames[];
}

function presence({ kind }: Transition, there: number, rect: Rect, canvas: Pick<Canvas, 'width' | 'height'>): Presence {
  const away = (1 - there) ** 3;
  if (kind === 'fade') return { opacity: there, x: 0, y: 0 };
  if (kind === 'rise') return { opacity: there, x: 0, y: even(away * RISE * canvas.height) };
  // From the nearer side of the canvas, wholly outside.
  const fromLeft = rect.x + rect.width / 2 < canvas.width / 2;
  const outside = fromLeft ? -(rect.x + rect.width) : canvas.width - rect.x;
  return { opacity: 1, x: even(away * outside), y: 0 };
}

/** Two pixels share a sample of colour. */
function even(px: number): number {
  return 2 * Math.round(px / 2);
}
