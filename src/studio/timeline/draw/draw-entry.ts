import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import { pathOf, trimOf } from '../../document/entries.ts';
import { type DrawnAs, isFilmLane, LANE_LOOKS } from '../../document/lane-looks.ts';
import { entranceFrames, type RevealCourse, shortenedBy } from '../../document/reveal-course.ts';
import * as page from '../../texts/en/page.ts';
import { type EntryBox, handlePlaces, levelAt, MARKER_PX } from '../view/timeline-layout.ts';
import { loudest, PEAKS_PER_SECOND } from './peaks.ts';
import { FONT, type Picture, shortened, type TimelineColors, type TimelineDrawing } from './timeline-drawing.ts';

const RADIUS = 5;

/** Draws an entry with all its parts. */
export function drawEntry(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { lane } = box.ref;
  context.save();
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(RADIUS, box.width / 2));
  context.fillStyle = fillOf(lane, drawing.colors);
  context.fill();
  context.save();
  context.clip();
  DRAWN[LANE_LOOKS[lane].line!.drawnAs](context, box, drawing);
  const issue = drawing.issues.get(pathOf(box.ref));
  if (issue !== undefined) drawIssue(context, box, issue === 'error' ? drawing.colors.bad : drawing.colors.caution);
  context.restore();
  if (LANES[lane].hasSound) drawLevel(context, box, drawing);
  drawOutline(context, box, drawing);
  context.restore();
}

type DrawPart = (context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing) => void;

/** How to draw the content of an entry. */
const DRAWN: Readonly<Record<DrawnAs, DrawPart>> = {
  board: drawBoard,
  reveal: drawReveal,
  clip: drawClip,
  sound: drawSound,
  text: (context, box, drawing) => drawName(context, box, box.placed.entry.text ?? '', drawing, false),
};

export function fillOf(lane: LaneName, colors: TimelineColors): string {
  return colors[LANE_LOOKS[lane].line!.fill];
}

/** A solid ring for a selected entry, a dashed one for the keyboard focus, a hairline otherwise. */
function drawOutline(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { colors, isSelected, focused } = drawing;
  const chosen = isSelected(box.ref);
  const inset = chosen ? 1 : 0.5;
  context.beginPath();
  context.roundRect(box.x + inset, box.y + inset, Math.max(1, box.width - 2 * inset), box.height - 2 * inset, RADIUS);
  context.strokeStyle = chosen ? colors.ink : colors.line;
  context.lineWidth = chosen ? 2 : 1;
  context.stroke();
  if (chosen && LANES[box.ref.lane].time === 'span') drawGrips(context, box, drawing);
  if (focused !== null && focused.lane === box.ref.lane && focused.index === box.ref.index) {
    context.setLineDash([3, 3]);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.stroke();
    context.setLineDash([]);
  }
}

/** The grips at both ends of a selected entry. */
function drawGrips(context: CanvasRenderingContext2D, box: EntryBox, { colors }: TimelineDrawing): void {
  if (box.width < GRIPS_FROM_PX) return;
  context.fillStyle = inkOn(box, colors);
  const height = Math.min(14, box.height - 14);
  for (const x of [box.x + 4, box.x + box.width - 7]) {
    context.beginPath();
    context.roundRect(x, box.y + box.height - height - 6, 3, height, 1.5);
    context.fill();
  }
}

function inkOn(box: EntryBox, colors: TimelineColors): string {
  return isFilmLane(box.ref.lane) ? '#fff' : colors.ink;
}

/** In a narrower entry the grips would leave nothing between them. */
const GRIPS_FROM_PX = 36;

function drawClip(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const media = drawing.media(box.placed.entry.file_field ?? '');
  if (media !== null && media.kind === 'video') drawFilm(context, box, media.hash, drawing);
  else if (media !== null) drawStills(context, box, drawing.still(media.hash, media.kind));
  if (media?.kind === 'video' && media.sound) drawClipWave(context, box, media.hash, drawing);
  drawName(context, box, media?.name ?? box.placed.entry.file_field ?? '', drawing, true);
}

/** The waveform at the bottom of a clip, on a shade that works on bright and dark pictures. */
function drawClipWave(context: CanvasRenderingContext2D, box: EntryBox, hash: string, drawing: TimelineDrawing): void {
  const peaks = drawing.wave(hash);
  if (peaks === null || peaks.length === 0) return;
  const height = box.height < TALL_PX ? CLIP_WAVE_PX : box.height;
  const foot = { ...box, y: box.y + box.height - height, height };
  context.fillStyle = 'rgb(13 12 18 / 0.6)';
  context.fillRect(box.x, foot.y, box.width, foot.height);
  drawWave(context, foot, peaks, drawing, '#fff');
}

const CLIP_WAVE_PX = 16;
/** A higher clip is there for its sound. */
const TALL_PX = 80;

function drawBoard(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  context.fillStyle = drawing.colors.edge;
  context.fillRect(box.x, box.y, 3, box.height);
  drawName(context, box, page.board, drawing, false);
}

function drawSound(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const media = drawing.media(entry.file_field ?? '');
  const peaks = media === null ? null : drawing.wave(media.hash);
  if (peaks !== null && peaks.length > 0) drawWave(context, box, peaks, drawing);
  drawName(context, box, media?.name ?? entry.file_field ?? '', drawing, true);
}

/** The name stays visible as long as its entry is. */
function drawName(
  context: CanvasRenderingContext2D,
  box: EntryBox,
  text: string,
  { colors }: TimelineDrawing,
  plate: boolean,
): void {
  const left = Math.max(box.x, 0) + (plate ? 4 : 9);
  const room = box.x + box.width - left - 8;
  if (room < 14) return;
  const shown = shortened(context, text.replaceAll('\n', ' '), room - (plate ? 8 : 0));
  if (shown === '') return;
  const middle = plate && isFilmLane(box.ref.lane) ? box.y + 11 : box.y + box.height / 2;
  if (plate) {
    const width = context.measureText(shown).width + 12;
    context.fillStyle = isFilmLane(box.ref.lane) ? 'rgb(13 12 18 / 0.85)' : fillOf(box.ref.lane, colors);
    context.beginPath();
    context.roundRect(left, middle - 8, Math.min(width, room + 4), 16, 4);
    context.fill();
  }
  context.fillStyle = plate && isFilmLane(box.ref.lane) ? '#fff' : colors.ink;
  context.fillText(shown, left + (plate ? 6 : 0), middle + 0.5);
}

/** Hatches the right end only, so that the content stays visible. */
function drawIssue(context: CanvasRenderingContext2D, box: EntryBox, color: string): void {
  const width = Math.min(box.width, 34);
  const x = box.x + box.width - width;
  context.strokeStyle = color;
  context.globalAlpha = 0.55;
  context.lineWidth = 3;
  context.beginPath();
  for (let at = -box.height; at < width; at += 8) {
    context.moveTo(x + at, box.y + box.height);
    context.lineTo(x + at + box.height, box.y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** The letter of the row, left of the card. */
const HEAD_PX = 17;
const NAME_PX = 18;
/** The band below the card, with the course of a spotlight. */
const BAND_PX = 10;

/** Draws a card with its row, and the course of a spotlight. */
function drawReveal(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
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

/** Draws a waveform, mirrored at its middle; each pixel shows the peak of its time. */
function drawWave(
  context: CanvasRenderingContext2D,
  box: EntryBox,
  peaks: Uint8Array,
  drawing: TimelineDrawing,
  color = drawing.colors.quiet,
): void {
  const { entry } = box.placed;
  const trim = trimOf(entry, drawing.rules) ?? { start: 0, end: peaks.length / PEAKS_PER_SECOND };
  const length = Math.max(0.01, trim.end - trim.start);
  const speed = entry.speed ?? 1;
  const step = 2;
  const { from, to } = seenPart(box, drawing.width);
  const middle = box.y + box.height / 2;
  context.fillStyle = color;
  context.globalAlpha = 0.6;
  for (let x = Math.floor(from / step) * step; x < to; x += step) {
    const heard = ((x - box.x) / drawing.scale.pxPerSecond) * speed;
    if (heard < 0 || (!entry.loop && heard >= length)) continue;
    const at = trim.start + (entry.loop ? heard % length : heard);
    const first = Math.floor(at * PEAKS_PER_SECOND);
    const wide = Math.ceil((step / drawing.scale.pxPerSecond) * speed * PEAKS_PER_SECOND);
    const half = Math.max(0.5, loudest(peaks, first, first + wide) * (box.height / 2 - 1));
    context.fillRect(x, middle - half, step - 0.6, half * 2);
  }
  context.globalAlpha = 1;
}

/** Draws the level line with its fades, and the handles of a selected entry. */
function drawLevel(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
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

const FRAME_PX = 68;

/** Frames of a clip along its length, each at its time. */
function drawFilm(context: CanvasRenderingContext2D, box: EntryBox, hash: string, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const speed = entry.speed ?? 1;
  const perPicture = (FRAME_PX / drawing.scale.pxPerSecond) * speed;
  const spacing = drawing.spacing(perPicture);
  const start = trimOf(entry, drawing.rules)?.start ?? entry.trim_start ?? 0;
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
function drawStills(context: CanvasRenderingContext2D, box: EntryBox, picture: Picture | null): void {
  if (picture === null) return;
  const { from, to } = seenPart(box, Number.MAX_SAFE_INTEGER);
  for (let x = from; x < Math.min(to, from + 4000); x += FRAME_PX)
    drawCovering(context, picture, x, box.y, FRAME_PX, box.height);
}

/** The visible part of an entry, in pixels. */
function seenPart(box: EntryBox, width: number): { from: number; to: number } {
  return { from: Math.max(0, box.x), to: Math.min(width, box.x + box.width) };
}

/** Draws a picture so that it covers an area. */
function drawCovering(
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
