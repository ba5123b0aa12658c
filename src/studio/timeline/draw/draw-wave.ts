import { isFilmLane } from '../../document/lanes.ts';
import { sourceWindow } from '../../document/timeline/slot.ts';
import { type EntryBox, handlePlaces, levelAt } from '../view/timeline-layout.ts';
import { seenPart } from './draw-film.ts';
import { loudest, PEAKS_PER_SECOND } from './peaks.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

/** Draws a waveform, mirrored at its middle; each pixel shows the peak of its time. */
export function drawWave(
  context: CanvasRenderingContext2D,
  box: EntryBox,
  peaks: Uint8Array,
  drawing: TimelineDrawing,
  color = drawing.colors.quiet,
): void {
  const { entry } = box.placed;
  const window = sourceWindow(entry, drawing.rules) ?? { start: 0, end: peaks.length / PEAKS_PER_SECOND };
  const length = Math.max(0.01, window.end - window.start);
  const speed = entry.speed ?? 1;
  const step = 2;
  const { from, to } = seenPart(box, drawing.width);
  const middle = box.y + box.height / 2;
  context.fillStyle = color;
  context.globalAlpha = 0.6;
  for (let x = Math.floor(from / step) * step; x < to; x += step) {
    const heard = ((x - box.x) / drawing.scale.pxPerSecond) * speed;
    if (heard < 0 || (!entry.loop && heard >= length)) continue;
    const at = window.start + (entry.loop ? heard % length : heard);
    const first = Math.floor(at * PEAKS_PER_SECOND);
    const wide = Math.ceil((step / drawing.scale.pxPerSecond) * speed * PEAKS_PER_SECOND);
    const half = Math.max(0.5, loudest(peaks, first, first + wide) * (box.height / 2 - 1));
    context.fillRect(x, middle - half, step - 0.6, half * 2);
  }
  context.globalAlpha = 1;
}

/** Draws the level line with its fades, and the handles of a selected entry. */
export function drawLevel(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const chosen = drawing.isSelected(box.ref);
  const hasPoints = entry.volume_points !== undefined && entry.volume_points.length > 0;
  const isPlain = (entry.volume ?? 1) === 1 && !entry.fade_in && !entry.fade_out && !hasPoints;
  if (isPlain && !chosen) return;
  const places = handlePlaces(box, drawing.scale, drawing.rules);
  context.beginPath();
  if (hasPoints) traceCurve(context, box, drawing);
  else {
    context.moveTo(box.x, entry.fade_in ? box.y + box.height : places.volume);
    context.lineTo(places.fade_in, places.volume);
    context.lineTo(Math.max(places.fade_in, places.fade_out), places.volume);
    context.lineTo(box.x + box.width, entry.fade_out ? box.y + box.height : places.volume);
  }
  const ink = isFilmLane(box.ref.lane) ? '#fff' : drawing.colors.ink;
  context.strokeStyle = ink;
  context.globalAlpha = chosen ? 0.85 : 0.55;
  context.lineWidth = 1.5;
  context.stroke();
  context.globalAlpha = 1;
  if (!chosen || box.width < 40) return;
  for (const x of [places.fade_in, places.fade_out]) {
    context.beginPath();
    context.arc(Math.min(Math.max(x, box.x + 4), box.x + box.width - 4), box.y + 3, 4, 0, Math.PI * 2);
    context.fillStyle = ink;
    context.fill();
    context.strokeStyle = isFilmLane(box.ref.lane) ? '#000' : drawing.colors.well;
    context.lineWidth = 1;
    context.stroke();
  }
}

/** Between two points the line is a curve: its height follows gain, the level follows decibels. */
const CURVE_STEP_PX = 3;

function traceCurve(context: CanvasRenderingContext2D, box: EntryBox, { scale, rules, width }: TimelineDrawing): void {
  const { entry } = box.placed;
  const { from, to } = seenPart(box, width);
  const points = (entry.volume_points ?? []).map(({ at }) => box.x + at * scale.pxPerSecond);
  const steps = Math.max(0, Math.ceil((to - from) / CURVE_STEP_PX));
  const even = Array.from({ length: steps }, (_, step) => from + step * CURVE_STEP_PX);
  const all = [...even, ...points.filter((x) => x > from && x < to), to].toSorted((a, b) => a - b);
  const bottom = box.y + box.height;
  for (const x of all) {
    const [since, left] = [x - box.x, box.x + box.width - x].map((px) => px / scale.pxPerSecond) as [number, number];
    const fades = Math.min(1, entry.fade_in ? since / entry.fade_in : 1, entry.fade_out ? left / entry.fade_out : 1);
    context.lineTo(x, bottom - (bottom - levelAt(box, x, scale, rules)) * Math.max(0, fades));
  }
}
