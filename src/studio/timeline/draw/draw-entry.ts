import { firstIndex } from '../../../collections/first-index.ts';
import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import { type DrawnAs, isFilmLane, LANE_LOOKS } from '../../document/lanes.ts';
import { pathOf } from '../../document/timeline/entries.ts';
import { type EntryBox, MARKER_PX } from '../view/timeline-layout.ts';
import { drawCovering, drawFilm, drawStills } from './draw-film.ts';
import { drawLevel, drawWave } from './draw-wave.ts';
import type { TimelineColors } from './timeline-colors.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

const RADIUS = 5;
export const FONT = '550 11px system-ui, "Segoe UI", "Noto Sans", sans-serif';

/** An entry with all there is to see of it. */
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

/** What is seen inside an entry. */
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
  if (chosen && LANES[box.ref.lane].time === 'span') drawGrips(context, box, drawing);
  if (focused !== null && focused.lane === box.ref.lane && focused.index === box.ref.index) {
    context.setLineDash([3, 3]);
    context.strokeStyle = colors.accent;
    context.lineWidth = 2;
    context.stroke();
    context.setLineDash([]);
  }
}

/** What to take hold of at both ends of what is selected. */
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

/** Narrower, and there would be nothing between them. */
const GRIPS_FROM_PX = 36;

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

function drawBoard(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  context.fillStyle = drawing.colors.edge;
  context.fillRect(box.x, box.y, 3, box.height);
  drawName(context, box, 'Board', drawing, false);
}

function drawSound(context: CanvasRenderingContext2D, box: EntryBox, drawing: TimelineDrawing): void {
  const { entry } = box.placed;
  const media = drawing.media(entry.file_field ?? '');
  const peaks = media === null ? null : drawing.wave(media.hash);
  if (peaks !== null && peaks.length > 0) drawWave(context, box, peaks, drawing);
  drawName(context, box, media?.name ?? entry.file_field ?? '', drawing, true);
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
  const middle = plate && isFilmLane(box.ref.lane) ? box.y + box.height - 11 : box.y + box.height / 2;
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

function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  const isTooLong = (length: number) => context.measureText(`${text.slice(0, length)}…`).width > room;
  const length = firstIndex(text.length, (index) => isTooLong(index + 1));
  return length === 0 ? '' : `${text.slice(0, length).trimEnd()}…`;
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
