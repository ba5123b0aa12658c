import { sourceWindow } from '../../document/timeline/slot.ts';
import type { EntryBox } from '../view/timeline-layout.ts';
import type { Picture, TimelineDrawing } from './timeline-drawing.ts';

const FRAME_PX = 68;

/** Frames of a clip along its length, each at its time. */
export function drawFilm(
  context: CanvasRenderingContext2D,
  box: EntryBox,
  hash: string,
  drawing: TimelineDrawing,
): void {
  const { entry } = box.placed;
  const speed = entry.speed ?? 1;
  const perPicture = (FRAME_PX / drawing.scale.pxPerSecond) * speed;
  const spacing = drawing.spacing(perPicture);
  const start = sourceWindow(entry, drawing.rules)?.start ?? entry.trim_start ?? 0;
  const { from, to } = seenPart(box, drawing.width);
  for (let x = box.x + Math.floor((from - box.x) / FRAME_PX) * FRAME_PX; x < to; x += FRAME_PX) {
    const time = start + ((x - box.x) / drawing.scale.pxPerSecond) * speed;
    const picture = drawing.film(hash, time, spacing);
    if (picture !== null) drawCovering(context, picture, x, box.y, FRAME_PX, box.height);
    context.fillStyle = 'rgb(0 0 0 / 0.35)';
    context.fillRect(x + FRAME_PX - 1, box.y, 1, box.height);
  }
}

/** Repeats the picture of a still. */
export function drawStills(context: CanvasRenderingContext2D, box: EntryBox, picture: Picture | null): void {
  if (picture === null) return;
  const { from, to } = seenPart(box, Number.MAX_SAFE_INTEGER);
  for (let x = from; x < Math.min(to, from + 4000); x += FRAME_PX)
    drawCovering(context, picture, x, box.y, FRAME_PX, box.height);
}

/** The visible part of an entry, in pixels. */
export function seenPart(box: EntryBox, width: number): { from: number; to: number } {
  return { from: Math.max(0, box.x), to: Math.min(width, box.x + box.width) };
}

/** Draws a picture so that it covers an area. */
export function drawCovering(
  context: CanvasRenderingContext2D,
  picture: Picture,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { width: w, height: h } = picture;
  if (w === 0 || h === 0) return;
  const scale = Math.max(width / w, height / h);
  const [sw, sh] = [width / scale, height / scale];
  context.drawImage(picture, (w - sw) / 2, (h - sh) / 2, sw, sh, x, y, width, height);
}
