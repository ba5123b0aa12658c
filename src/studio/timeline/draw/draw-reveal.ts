import { entranceFrames, type RevealCourse, shortenedBy } from '../../document/timeline/reveal-course.ts';
import { type EntryBox, MARKER_PX } from '../view/timeline-layout.ts';
import { drawCovering } from './draw-film.ts';
import { FONT, shortened } from './draw-text.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

/** The letter of the row, left of the card. */
const HEAD_PX = 17;
const NAME_PX = 18;
/** The band below the card, with the course of a spotlight. */
const BAND_PX = 10;

/** Draws a card with its row, and the course of a spotlight. */
export function drawReveal(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { name, letter, color, picture } = drawing.reveal(box.placed.entry);
  const { course } = box;
  const isStaged = course?.style === 'spotlight';
  const height = box.height - (isStaged ? BAND_PX : 0);
  const width = MARKER_PX - HEAD_PX;
  const left = box.x + HEAD_PX;
  context.fillStyle = color;
  context.fillRect(box.x, box.y, HEAD_PX, height);
  context.fillStyle = '#0d0f1c';
  context.fillRect(left, box.y, width, height);
  if (picture !== null) drawCovering(context, picture, left, box.y, width, height);
  context.fillStyle = drawing.colors.onTier;
  context.font = '700 12px system-ui, "Noto Sans", sans-serif';
  context.textAlign = 'center';
  context.fillText(letter, box.x + HEAD_PX / 2, box.y + height / 2, HEAD_PX - 2);
  const bottom = box.y + height;
  const shade = context.createLinearGradient(0, bottom - NAME_PX, 0, bottom);
  shade.addColorStop(0, 'transparent');
  shade.addColorStop(0.5, 'rgb(0 0 0 / 0.75)');
  context.fillStyle = shade;
  context.fillRect(left, bottom - NAME_PX, width, NAME_PX);
  context.fillStyle = '#fff';
  context.font = '600 10px system-ui, "Noto Sans", sans-serif';
  const room = width - 4;
  context.fillText(shortened(context, name, room), left + width / 2, bottom - 7, room);
  context.textAlign = 'start';
  context.font = FONT;
  if (isStaged) drawCourse(context, { ...box, y: bottom, height: BAND_PX, course }, color, drawing);
}

/** Draws entrance, hold, verdict and flight. (R26) */
function drawCourse(
  context: CanvasRenderingContext2D,
  { x, y, height, course }: EntryBox & { readonly course: RevealCourse },
  color: string,
  { rules: { rate }, scale, colors }: TimelineDrawing,
): void {
  const at = (frames: number) => x + (frames * rate.den * scale.pxPerSecond) / rate.num;
  const up = at(course.starts + entranceFrames(rate));
  const [start, verdict, takeOff, end] = [course.starts, course.verdict, course.takeOff, course.lands].map(at) as [
    number,
    number,
    number,
    number,
  ];
  const [top, foot] = [y + 2, y + height];
  context.fillStyle = colors.well;
  context.fillRect(x, y, end - x, height);
  const fill = (alpha: number, ...points: readonly (readonly [number, number])[]): void => {
    context.globalAlpha = alpha;
    context.fillStyle = color;
    context.beginPath();
    for (const [px, py] of points) context.lineTo(px, py);
    context.fill();
  };
  fill(0.45, [start, foot], [up, top], [up, foot]);
  fill(0.45, [up, top], [verdict, top], [verdict, foot], [up, foot]);
  fill(1, [verdict, top], [takeOff, top], [takeOff, foot], [verdict, foot]);
  fill(0.45, [takeOff, top], [end, foot], [takeOff, foot]);
  context.globalAlpha = 1;
  if (shortenedBy(course) === 0) return;
  // The plan has shortened the hold.
  context.fillStyle = colors.caution;
  context.fillRect(up, y, Math.max(2, verdict - up), 2);
}
