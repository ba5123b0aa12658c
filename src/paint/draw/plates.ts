import type { Edge, Plate } from '../../plan/theme/theme-look.ts';
import type { Box } from '../boxes.ts';
import type { Canvas2D } from '../canvas-2d.ts';
import { rgba } from './color.ts';
import type { Inks } from './inks.ts';

/** The size of a plate's parts: its em, and its corners unless the plate has its own. */
interface PlateSize {
  readonly em: number;
  /** The em of the copy below it, where that differs. */
  readonly dropEm?: number;
  readonly radiusPx: number;
  /** Absent: all corners are round. */
  readonly corners?: 'left' | 'right';
}

/** Widths of the lines of a glow, one over the other, and how much each lets through. */
const GLOW = [[5.2, 0.07], [3.4, 0.1], [2, 0.2], [1, 0.95]] as const; // biome-ignore format: a table

/** Draws a plate in its box, from its shadow up to its edges. */
export function drawPlate(context: Canvas2D, plate: Plate, box: Box, size: PlateSize, inks: Inks): void {
  drawBody(context, plate, box, size, inks);
  drawOutline(context, plate, box, size, inks);
}

/** The copy below a plate, and its fill. */
export function drawBody(context: Canvas2D, plate: Plate, box: Box, size: PlateSize, inks: Inks): void {
  const { fill, alpha = 1, drop, gloss = 0, bevel = 0 } = plate;
  const { em, dropEm = em } = size;
  if (drop !== undefined) {
    tracePlate(context, plate, { ...box, x: box.x + drop.x * dropEm, y: box.y + drop.y * dropEm }, size);
    context.fillStyle = rgba(inks.of(drop.ink), alpha);
    context.fill();
  }
  if (fill !== undefined) {
    tracePlate(context, plate, box, size);
    context.fillStyle = inks.fill(fill, alpha, context, box);
    context.fill();
  }
  if (gloss > 0) {
    tracePlate(context, plate, { ...box, height: box.height * 0.48 }, { em, radiusPx: 0 });
    context.fillStyle = `rgba(255, 255, 255, ${gloss})`;
    context.fill();
  }
  if (bevel > 0) drawBevel(context, box, bevel * em);
}

/** The lines around a plate. */
export function drawOutline(context: Canvas2D, plate: Plate, box: Box, size: PlateSize, inks: Inks): void {
  const { glow, edges = [] } = plate;
  if (glow !== undefined) {
    const em = Math.max(1 / size.em, glow.em);
    // Lines cost a fraction of a soft shadow.
    for (const [wide, through] of GLOW) {
      tracePlate(context, plate, box, size, (em * size.em) / 2);
      context.strokeStyle = rgba(inks.of(glow.ink), through);
      context.lineWidth = em * size.em * wide;
      context.stroke();
    }
  }
  for (const edge of edges) drawEdge(context, plate, edge, box, size, inks);
}

/** The outline of a plate as the current path, so far inside of it. */
export function tracePlate(
  context: Canvas2D,
  { round, slant = 0, step = 0 }: Plate,
  { x, y, width, height }: Box,
  { em, radiusPx, corners }: PlateSize,
  inset = 0,
): void {
  const [left, top, right, foot] = [x + inset, y + inset, x + width - inset, y + height - inset];
  context.beginPath();
  if (slant !== 0) {
    const lean = (slant * (foot - top)) / 2;
    polygon(context, [[left + lean, top], [right + lean, top], [right - lean, foot], [left - lean, foot]]); // biome-ignore format: a shape
  } else if (step > 0) {
    const cut = Math.min(step * em, (right - left) / 3, (foot - top) / 3);
    polygon(context, [
      [left + cut, top], [right - cut, top], [right - cut, top + cut], [right, top + cut],
      [right, foot - cut], [right - cut, foot - cut], [right - cut, foot], [left + cut, foot],
      [left + cut, foot - cut], [left, foot - cut], [left, top + cut], [left + cut, top + cut],
    ]); // biome-ignore format: a shape
  } else {
    const radius = round === undefined ? radiusPx : Math.min(width, height) * round;
    const [w, h] = [Math.max(0, right - left), Math.max(0, foot - top)];
    const own = Math.min(Math.max(0, radius - inset), w / 2, h / 2);
    context.roundRect(
      left,
      top,
      w,
      h,
      corners === 'left' ? [own, 0, 0, own] : corners === 'right' ? [0, own, own, 0] : own,
    );
  }
}

function polygon(context: Canvas2D, points: readonly (readonly [number, number])[]): void {
  for (const [at, [x, y]] of points.entries()) {
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.closePath();
}

/** How far a line reaches over the outline of its plate. */
const SEAM_PX = 0.75;

/** Draws a line along a plate, or along one side of it. */
export function drawEdge(
  context: Canvas2D,
  plate: Plate,
  { ink, em: thick, alpha = 1, inset = 0, side, dash }: Edge,
  box: Box,
  size: PlateSize,
  inks: Inks,
): void {
  const px = Math.max(1, thick * size.em);
  const color = rgba(inks.of(ink), alpha);
  if (side === undefined) {
    // The fill shows through half covered pixels, as a seam between a line and a shadow of one ink.
    const over = inset === 0 && plate.drop?.ink === ink ? SEAM_PX : 0;
    tracePlate(context, plate, box, size, inset * size.em + (px - over) / 2);
    context.strokeStyle = color;
    context.lineWidth = px + over;
    context.lineJoin = 'miter';
    if (dash !== undefined) context.setLineDash(dash.map((part) => part * size.em));
    context.stroke();
    if (dash !== undefined) context.setLineDash([]);
    return;
  }
  const at = inset * size.em;
  const { x, y, width, height } = box;
  const strips = {
    top: { x, y: y + at, width, height: px },
    bottom: { x, y: y + height - px - at, width, height: px },
    left: { x: x + at, y, width: px, height },
    right: { x: x + width - px - at, y, width: px, height },
  };
  const strip = strips[side];
  if (dash !== undefined) {
    drawDashes(context, strip, side === 'top' || side === 'bottom', dash, size.em, color);
    return;
  }
  // A side of a slanted plate leans with it.
  const { slant = 0 } = plate;
  const aside = side === 'top' ? (slant * height) / 2 : side === 'bottom' ? (-slant * height) / 2 : 0;
  const isUpright = side === 'left' || side === 'right';
  tracePlate(context, isUpright ? { slant } : {}, { ...strip, x: strip.x + aside }, { em: size.em, radiusPx: 0 });
  context.fillStyle = color;
  context.fill();
}

function drawDashes(
  context: Canvas2D,
  { x, y, width, height }: Box,
  isAcross: boolean,
  [on, off]: readonly [number, number],
  em: number,
  color: string,
): void {
  context.fillStyle = color;
  const length = isAcross ? width : height;
  for (let at = 0; at < length; at += (on + off) * em) {
    const dash = Math.min(on * em, length - at);
    context.fillRect(isAcross ? x + at : x, isAcross ? y : y + at, isAcross ? dash : width, isAcross ? height : dash);
  }
}

function drawBevel(context: Canvas2D, { x, y, width, height }: Box, px: number): void {
  context.fillStyle = 'rgba(255, 255, 255, 0.38)';
  context.fillRect(x, y, width, px);
  context.fillRect(x, y + px, px, height - px);
  context.fillStyle = 'rgba(0, 0, 0, 0.34)';
  context.fillRect(x + px, y + height - px, width - px, px);
  context.fillRect(x + width - px, y + px, px, height - 2 * px);
}

/** Draws a line just inside a box with round corners. */
export function strokeInside(context: Canvas2D, box: Box, radiusPx: number, linePx: number, style: string): void {
  context.beginPath();
  context.roundRect(
    box.x + linePx / 2,
    box.y + linePx / 2,
    Math.max(0, box.width - linePx),
    Math.max(0, box.height - linePx),
    Math.max(0, radiusPx - linePx / 2),
  );
  context.strokeStyle = style;
  context.lineWidth = linePx;
  context.stroke();
}
