import type { Range } from '../../../time.ts';
import type { TimeRules } from '../edit/slot.ts';
import { sourceWindow } from '../edit/slot.ts';
import type { EntryRef, LaneName } from '../edit/timeline-data.ts';
import { pathOf } from '../edit/timeline-data.ts';
import { type TimeScale, ticks, xOf } from '../view/time-scale.ts';
import {
  type EntryBox,
  entryBoxes,
  handlePlaces,
  hasSound,
  MARKER_PX,
  RULER_PX,
  type TimelineLayout,
  type TrackBox,
} from '../view/timeline-layout.ts';
import { loudest, PEAKS_A_SECOND } from './peaks.ts';
import type { TimelineColors } from './timeline-colors.ts';

/** Whatever has its size in pixels and can be drawn. */
export type Picture = ImageBitmap | HTMLCanvasElement;

/** What is known of a file, as far as drawing goes. */
export interface DrawnMedia {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
}

/** A reveal as it is told. */
export interface DrawnReveal {
  readonly name: string;
  readonly letter: string;
  readonly color: string;
  readonly picture: Picture | null;
}

/** Everything a drawing of the timeline is a function of. */
export interface TimelineDrawing {
  readonly width: number;
  readonly height: number;
  readonly layout: TimelineLayout;
  readonly scale: TimeScale;
  readonly scrollTop: number;
  readonly rules: TimeRules;
  readonly colors: TimelineColors;
  readonly isSelected: (ref: EntryRef) => boolean;
  readonly focused: EntryRef | null;
  readonly issues: ReadonlyMap<string, 'error' | 'warning'>;
  /** The frame something dragged is held at. */
  readonly heldAt: number | null;
  readonly media: (field: string) => DrawnMedia | null;
  readonly reveal: (itemId: string) => DrawnReveal;
  readonly film: (hash: string, time: number, spacing: number) => Picture | null;
  readonly spacing: (secondsAPicture: number) => number;
  readonly wave: (hash: string) => Uint8Array | null;
  readonly still: (hash: string, kind: string) => Picture | null;
}

const RADIUS = 5;
const FONT = '550 11px system-ui, "Segoe UI", "Noto Sans", sans-serif';
const FRAME_PX = 68;

/** Lines, entries, ruler: what is in sight and nothing else. */
export function drawTimeline(context: CanvasRenderingContext2D, drawing: TimelineDrawing): void {
  const { width, height, layout, colors, scrollTop } = drawing;
  context.fillStyle = colors.well;
  context.fillRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = 'middle';
  context.save();
  context.beginPath();
  context.rect(0, RULER_PX, width, height - RULER_PX);
  context.clip();
  context.translate(0, RULER_PX - scrollTop);
  for (const box of layout.boxes) {
    if (box.top + box.height < scrollTop || box.top > scrollTop + height) continue;
    drawLine(context, box, drawing);
  }
  drawHeld(context, drawing);
  context.restore();
  drawRuler(context, drawing);
}

function drawLine(context: CanvasRenderingContext2D, box: TrackBox, drawing: TimelineDrawing): void {
  const { width, colors, scale, rules } = drawing;
  context.fillStyle = colors.line;
  context.globalAlpha = 0.55;
  context.fillRect(0, box.top + box.height - 1, width, 1);
  context.globalAlpha = 1;
  for (const entry of entryBoxes(box, scale, width, rules)) drawEntry(context, entry, drawing);
}

function drawEntry(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { lane } = box.ref;
  context.save();
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, Math.min(RADIUS, box.width / 2));
  context.fillStyle = fillOf(lane, drawing.colors);
  context.fill();
  context.save();
  context.clip();
  if (lane === 'tier_tiles') drawReveal(context, box, drawing);
  else if (lane === 'videos') drawClip(context, box, drawing);
  else if (lane === 'tier_blocks') drawBoard(context, box, drawing);
  else if (lane === 'subtitles') drawName(context, box, box.placed.entry.text ?? '', drawing, false);
  else drawSound(context, box, drawing);
  const issue = drawing.issues.get(pathOf(box.ref));
  if (issue !== undefined) drawIssue(context, box, issue === 'error' ? drawing.colors.bad : drawing.colors.caution);
  context.restore();
  if (hasSound(lane)) drawLevel(context, box, drawing);
  drawOutline(context, box, drawing);
  context.restore();
}

function fillOf(lane: LaneName, colors: TimelineColors): string {
  if (lane === 'tier_blocks') return colors.board;
  if (lane === 'audios') return colors.sound;
  if (lane === 'soundtracks') return colors.music;
  return colors.raise;
}

/** An ink ring for what is selected, a dashed one for what the keyboard is at, a hair line otherwise. */
function drawOutline(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { colors, isSelected, focused } = drawing;
  const chosen = isSelected(box.ref);
  const inset = chosen ? 1 : 0.5;
  context.beginPath();
  context.roundRect(box.x + inset, box.y + inset, Math.max(1, box.width - 2 * inset), box.height - 2 * inset, RADIUS);
  context.strokeStyle = chosen ? colors.ink : colors.line;
  context.lineWidth = chosen ? 2 : 1;
  context.stroke();
  if (focused !== null && focused.lane === box.ref.lane && focused.index === box.ref.index) {
    context.setLineDash([3, 3]);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.stroke();
    context.setLineDash([]);
  }
}

function drawReveal(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { name, letter, color, picture } = drawing.reveal(box.placed.entry.tier_item_id ?? '');
  const head = 17;
  context.fillStyle = color;
  context.fillRect(box.x, box.y, head, box.height);
  context.fillStyle = '#0d0f1c';
  context.fillRect(box.x + head, box.y, MARKER_PX - head, box.height);
  if (picture !== null) drawCovering(context, picture, box.x + head, box.y, MARKER_PX - head, box.height);
  context.fillStyle = drawing.colors.onTier;
  context.font = '700 12px system-ui, "Noto Sans", sans-serif';
  context.textAlign = 'center';
  context.fillText(letter, box.x + head / 2, box.y + box.height / 2, head - 2);
  const shade = context.createLinearGradient(0, box.y + box.height - 18, 0, box.y + box.height);
  shade.addColorStop(0, 'transparent');
  shade.addColorStop(0.5, 'rgb(0 0 0 / 0.75)');
  context.fillStyle = shade;
  context.fillRect(box.x + head, box.y + box.height - 18, MARKER_PX - head, 18);
  context.fillStyle = '#fff';
  context.font = '600 10px system-ui, "Noto Sans", sans-serif';
  const room = MARKER_PX - head - 4;
  context.fillText(shortened(context, name, room), box.x + head + (MARKER_PX - head) / 2, box.y + box.height - 7, room);
  context.textAlign = 'start';
  context.font = FONT;
}

function drawClip(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const media = drawing.media(box.placed.entry.file_field ?? '');
  if (media !== null && media.kind === 'video') drawFilm(context, box, media.hash, drawing);
  else if (media !== null) drawStills(context, box, drawing.still(media.hash, media.kind));
  drawName(context, box, media?.name ?? box.placed.entry.file_field ?? '', drawing, true);
}

function drawFilm(context: CanvasRenderingContext2D, box: EntryBox, hash: string, drawing: TimelineDrawing): void {
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

function drawStills(context: CanvasRenderingContext2D, box: EntryBox, picture: Picture | null): void {
  if (picture === null) return;
  const { from, to } = seenPart(box, Number.MAX_SAFE_INTEGER);
  for (let x = from; x < Math.min(to, from + 4000); x += FRAME_PX)
    drawCovering(context, picture, x, box.y, FRAME_PX, box.height);
}

/** The part of an entry that is in sight, in pixels. */
function seenPart(box: EntryBox, width: number): { from: number; to: number } {
  return { from: Math.max(0, box.x), to: Math.min(width, box.x + box.width) };
}

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

function drawBoard(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  context.fillStyle = drawing.colors.edge;
  context.fillRect(box.x, box.y, 3, box.height);
  drawName(context, box, 'Board', drawing, false);
}

/** The wave of a sound, mirrored at its middle, each pixel the loudest of what it stands for. */
function drawSound(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const media = drawing.media(entry.file_field ?? '');
  const peaks = media === null ? null : drawing.wave(media.hash);
  if (peaks !== null && peaks.length > 0) drawWave(context, box, peaks, drawing);
  drawName(context, box, media?.name ?? entry.file_field ?? '', drawing, true);
}

function drawWave(context: CanvasRenderingContext2D, box: EntryBox, peaks: Uint8Array, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const window = sourceWindow(entry, drawing.rules) ?? { start: 0, end: peaks.length / PEAKS_A_SECOND };
  const length = Math.max(0.01, window.end - window.start);
  const speed = entry.speed ?? 1;
  const step = 2;
  const { from, to } = seenPart(box, drawing.width);
  const middle = box.y + box.height / 2;
  context.fillStyle = drawing.colors.quiet;
  context.globalAlpha = 0.6;
  for (let x = Math.floor(from / step) * step; x < to; x += step) {
    const heard = ((x - box.x) / drawing.scale.pxPerSecond) * speed;
    if (heard < 0 || (!entry.loop && heard >= length)) continue;
    const at = window.start + (entry.loop ? heard % length : heard);
    const first = Math.floor(at * PEAKS_A_SECOND);
    const wide = Math.ceil((step / drawing.scale.pxPerSecond) * speed * PEAKS_A_SECOND);
    const half = Math.max(0.5, loudest(peaks, first, first + wide) * (box.height / 2 - 3));
    context.fillRect(x, middle - half, step - 0.6, half * 2);
  }
  context.globalAlpha = 1;
}

/** The line of a sound's level with its fades, and what to take hold of where it is selected. */
function drawLevel(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const chosen = drawing.isSelected(box.ref);
  const isPlain = (entry.volume ?? 1) === 1 && !entry.fade_in && !entry.fade_out;
  if (isPlain && !chosen) return;
  const places = handlePlaces(box, drawing.scale);
  context.beginPath();
  context.moveTo(box.x, entry.fade_in ? box.y + box.height : places.volume);
  context.lineTo(places.fade_in, places.volume);
  context.lineTo(Math.max(places.fade_in, places.fade_out), places.volume);
  context.lineTo(box.x + box.width, entry.fade_out ? box.y + box.height : places.volume);
  context.strokeStyle = drawing.colors.ink;
  context.globalAlpha = chosen ? 0.85 : 0.55;
  context.lineWidth = 1.5;
  context.stroke();
  context.globalAlpha = 1;
  if (!chosen || box.width < 40) return;
  for (const x of [places.fade_in, places.fade_out]) {
    context.beginPath();
    context.arc(Math.min(Math.max(x, box.x + 4), box.x + box.width - 4), box.y + 3, 4, 0, Math.PI * 2);
    context.fillStyle = drawing.colors.ink;
    context.fill();
    context.strokeStyle = drawing.colors.well;
    context.lineWidth = 1;
    context.stroke();
  }
}

/** A name that stays in sight while its entry does. */
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
  const middle = plate && box.ref.lane === 'videos' ? box.y + box.height - 11 : box.y + box.height / 2;
  if (plate) {
    const width = context.measureText(shown).width + 12;
    context.fillStyle = box.ref.lane === 'videos' ? 'rgb(13 12 18 / 0.85)' : fillOf(box.ref.lane, colors);
    context.beginPath();
    context.roundRect(left, middle - 8, Math.min(width, room + 4), 16, 4);
    context.fill();
  }
  context.fillStyle = plate && box.ref.lane === 'videos' ? '#fff' : colors.ink;
  context.fillText(shown, left + (plate ? 6 : 0), middle + 0.5);
}

function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (context.measureText(`${text.slice(0, middle)}…`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? '' : `${text.slice(0, low).trimEnd()}…`;
}

/** Hatched from the right, as far as it does not hide what it is about. */
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

function drawHeld(context: CanvasRenderingContext2D, { heldAt, scale, rules, layout, colors }: TimelineDrawing): void {
  if (heldAt === null) return;
  const x = Math.round(xOf((heldAt * rules.rate.den) / rules.rate.num, scale)) + 0.5;
  context.strokeStyle = colors.ink;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, layout.height);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawRuler(context: CanvasRenderingContext2D, { width, scale, colors }: TimelineDrawing): void {
  context.fillStyle = colors.well;
  context.fillRect(0, 0, width, RULER_PX);
  context.fillStyle = colors.line;
  context.fillRect(0, RULER_PX - 1, width, 1);
  context.font = '11px system-ui, "Noto Sans", sans-serif';
  for (const { at, label } of ticks(scale, width)) {
    const x = Math.round(xOf(at, scale));
    context.fillStyle = colors.edge;
    context.fillRect(x, label === null ? RULER_PX - 5 : 3, 1, label === null ? 4 : RULER_PX - 4);
    if (label === null) continue;
    context.fillStyle = colors.quiet;
    context.fillText(label, x + 5, 10);
  }
}

/** What a range of frames is, in pixels; for whoever lays things over the canvas. */
export function rangePx(
  { start, end }: Range<number>,
  scale: TimeScale,
  { rate }: TimeRules,
): { x: number; width: number } {
  const [from, to] = [start, end].map((frame) => xOf((frame * rate.den) / rate.num, scale)) as [number, number];
  return { x: from, width: to - from };
}
