import type { PercentBox } from '../../timeline/default-looks.ts';

/** The grabbed part of a box: all of it, or an edge or corner by compass point. */
export type Grip = 'move' | 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw';

/** Positions to snap to, in percent of the canvas. */
export interface Guides {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A dragged box, and the guides that it snaps to. */
export interface DraggedBox {
  readonly box: PercentBox;
  readonly heldX: number | null;
  readonly heldY: number | null;
}

export interface DragRules {
  readonly guides: Guides;
  /** Snap distance, in percent of each side; 0 disables snapping. */
  readonly reach: { readonly x: number; readonly y: number };
  /** Whether a corner keeps the aspect ratio. */
  readonly inProportion: boolean;
}

/** The minimum size of a box, and of its part on the canvas, so that it can always be grabbed. */
const LEAST = 2;

/** A box after a drag of its grip, in percent of the canvas. */
export function dragBox(
  box: PercentBox,
  grip: Grip,
  by: { readonly x: number; readonly y: number },
  rules: DragRules,
): DraggedBox {
  if (grip === 'move') return moved(box, by, rules);
  const sides = { w: grip.includes('w'), e: grip.includes('e'), n: grip.includes('n'), s: grip.includes('s') };
  const isCorner = (sides.w || sides.e) && (sides.n || sides.s);
  return isCorner && rules.inProportion ? scaled(box, sides, by, rules) : resized(box, sides, by, rules);
}

function moved(
  box: PercentBox,
  by: { readonly x: number; readonly y: number },
  { guides, reach }: DragRules,
): DraggedBox {
  const [x, heldX] = heldMove(box.x + by.x, box.width, guides.x, reach.x);
  const [y, heldY] = heldMove(box.y + by.y, box.height, guides.y, reach.y);
  return {
    box: tidyBox({
      ...box,
      x: within(x, LEAST - box.width, 100 - LEAST),
      y: within(y, LEAST - box.height, 100 - LEAST),
    }),
    heldX,
    heldY,
  };
}

/** Snaps the start, middle or end of a length to the nearest guide. */
function heldMove(at: number, length: number, guides: readonly number[], reach: number): [number, number | null] {
  const found = [0, length / 2, length]
    .map((part) => ({ part, guide: nearest(at + part, guides, reach) }))
    .filter(({ guide }) => guide !== null)
    .sort((a, b) => Math.abs(at + a.part - a.guide!) - Math.abs(at + b.part - b.guide!))[0];
  return found === undefined ? [at, null] : [found.guide! - found.part, found.guide];
}

interface Sides {
  readonly w: boolean;
  readonly e: boolean;
  readonly n: boolean;
  readonly s: boolean;
}

function resized(
  box: PercentBox,
  { w, e, n, s }: Sides,
  by: { readonly x: number; readonly y: number },
  { guides, reach }: DragRules,
): DraggedBox {
  const across = heldEdge({ start: box.x, length: box.width }, w ? 'start' : e ? 'end' : null, by.x, guides.x, reach.x);
  const down = heldEdge({ start: box.y, length: box.height }, n ? 'start' : s ? 'end' : null, by.y, guides.y, reach.y);
  return {
    box: tidyBox({ x: across.start, width: across.length, y: down.start, height: down.length }),
    heldX: across.held,
    heldY: down.held,
  };
}

function heldEdge(
  { start, length }: { readonly start: number; readonly length: number },
  edge: 'start' | 'end' | null,
  by: number,
  guides: readonly number[],
  reach: number,
): { start: number; length: number; held: number | null } {
  if (edge === null) return { start, length, held: null };
  const wanted = (edge === 'start' ? start : start + length) + by;
  const held = nearest(wanted, guides, reach);
  const at = held ?? wanted;
  if (edge === 'end') return { start, length: Math.max(LEAST, at - start), held };
  const end = start + length;
  const from = Math.min(at, end - LEAST);
  return { start: from, length: end - from, held };
}

/** Resizes by a corner and keeps the aspect ratio. The opposite corner stays, and the edge nearer to a guide snaps to it. */
function scaled(
  box: PercentBox,
  { w, n }: Sides,
  by: { readonly x: number; readonly y: number },
  { guides, reach }: DragRules,
): DraggedBox {
  const grown = { x: w ? -by.x : by.x, y: n ? -by.y : by.y };
  const free = Math.max((box.width + grown.x) / box.width, (box.height + grown.y) / box.height);
  const edgeAt = (by: number) => ({
    x: w ? box.x + box.width - box.width * by : box.x + box.width * by,
    y: n ? box.y + box.height - box.height * by : box.y + box.height * by,
  });
  const at = edgeAt(free);
  const [guideX, guideY] = [nearest(at.x, guides.x, reach.x), nearest(at.y, guides.y, reach.y)];
  const distance = (guide: number | null, edge: number, far: number) =>
    guide === null ? Number.POSITIVE_INFINITY : Math.abs(guide - edge) / far;
  const byX = distance(guideX, at.x, reach.x) <= distance(guideY, at.y, reach.y);
  const toX = guideX !== null && byX ? Math.abs(guideX - (w ? box.x + box.width : box.x)) / box.width : null;
  const toY = guideY !== null && !byX ? Math.abs(guideY - (n ? box.y + box.height : box.y)) / box.height : null;
  const scale = Math.max(toX ?? toY ?? free, LEAST / box.width, LEAST / box.height);
  const [width, height] = [box.width * scale, box.height * scale];
  return {
    box: tidyBox({
      x: w ? box.x + box.width - width : box.x,
      y: n ? box.y + box.height - height : box.y,
      width,
      height,
    }),
    heldX: toX === null ? null : guideX,
    heldY: toY === null ? null : guideY,
  };
}

function nearest(at: number, guides: readonly number[], reach: number): number | null {
  let best: number | null = null;
  for (const guide of guides) {
    const distance = Math.abs(guide - at);
    if (distance <= reach && reach > 0 && (best === null || distance < Math.abs(best - at))) best = guide;
  }
  return best;
}

function within(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

/** Rounds to hundredths of a percent: finer than a pixel, and readable. */
function tidyBox({ x, y, width, height }: PercentBox): PercentBox {
  const tidy = (value: number) => Math.round(value * 100) / 100 + 0;
  return { x: tidy(x), y: tidy(y), width: tidy(width), height: tidy(height) };
}
