import { LANES, type LaneName } from '../../../timeline/lanes.ts';
import { type DrawnAs, isFilmLane, LANE_LOOKS } from '../../document/lanes.ts';
import { pathOf } from '../../document/timeline/entries.ts';
import * as page from '../../texts/en/page.ts';
import type { EntryBox } from '../view/timeline-layout.ts';
import { drawFilm, drawStills } from './draw-film.ts';
import { drawReveal } from './draw-reveal.ts';
import { shortened } from './draw-text.ts';
import { drawLevel, drawWave } from './draw-wave.ts';
import type { TimelineColors } from './timeline-colors.ts';
import type { TimelineDrawing } from './timeline-drawing.ts';

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
  const foot = { ...box, y: box.y + box.height - CLIP_WAVE_PX, height: CLIP_WAVE_PX };
  context.fillStyle = 'rgb(13 12 18 / 0.6)';
  context.fillRect(box.x, foot.y, box.width, foot.height);
  drawWave(context, foot, peaks, drawing, '#fff');
}

const CLIP_WAVE_PX = 16;

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
