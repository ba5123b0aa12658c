import { type Frames, frameRange, overlaps, type Range } from '../../time.ts';
import type { VideoEntry } from '../../timeline/export-request.ts';
import {
  canvasRect,
  contains,
  coveredShare,
  intersect,
  middleSquare,
  type Rect,
  referenceScale,
} from '../model/canvas.ts';
import type { ClipLayer, ClipLook } from '../model/clip-layer.ts';
import { DRAWING_AS_CLIP, type MediaFacts } from '../model/media-facts.ts';
import { cropRect, type FittedClip, fitClip, fitOutline, placeInBox } from './fit-clip.ts';
import { placeMotion } from './place-motion.ts';
import type { PlanContext } from './plan-context.ts';
import { type PlayedTrim, playedTrim } from './source-trim.ts';

/** A `videos` entry, placed: what it plays is known, whether it is ever visible is not yet. */
export interface PlacedVideo {
  readonly entry: VideoEntry;
  readonly facts: MediaFacts;
  readonly played: PlayedTrim;
  readonly shows: Range<Frames>;
  readonly fillsCanvas: boolean;
  /** null: it is entirely outside the canvas, or hidden in this preset. */
  readonly geometry: ClipGeometry | null;
}

type ClipGeometry = Pick<ClipLayer, 'crop' | 'motion' | 'dest' | 'backdrop' | 'matte' | 'look' | 'isAboveBoard'>;

/**
 * A clip that covers at most this share of the canvas is in front of boards by default: a facecam in a corner. (C54)
 */
const MAX_ABOVE = 0.5;

/** Places every `videos` entry in time and space. Entries with errors are reported and left out. */
export function placeVideos(context: PlanContext): PlacedVideo[] {
  const { request, places, canvas, rate, media, issues } = context;
  const placed: PlacedVideo[] = [];
  const whole: Rect = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  for (const entry of request.timeline.videos) {
    const facts = media.facts(entry.media);
    if (facts.kind === 'drawing') {
      issues.error(entry.media.path, 'media.unsupported', DRAWING_AS_CLIP, 'unsupported');
      continue;
    }
    if (facts.kind === 'audio' || facts.kind === 'unreadable' || facts.kind === 'font') {
      const found =
        facts.kind === 'audio' ? 'sound only' : facts.kind === 'font' ? 'letters' : 'nothing that can be decoded';
      const message = `A video clip needs a file with a picture (video, image or GIF); this one has ${found}.`;
      issues.error(entry.media.path, 'media.no_picture', message);
      continue;
    }
    const endless = facts.kind !== 'video';
    const played = playedTrim(entry, facts, { settings: request.settings, issues, endless });
    if (played === undefined) continue;
    const crop = cropRect(entry.crop, facts, entry.path, issues);
    const place = places.video(entry);
    const given = place.box === null ? whole : canvasRect(place.box, canvas);
    const fillsCanvas = contains(given, whole) && contains(whole, given);
    // A circle has one radius: it is cut out of the middle.
    const round = !fillsCanvas && entry.look.shape === 'circle';
    const box = round ? middleSquare(given) : given;
    const fit = round ? 'cover' : (place.fit ?? entry.fit);
    const shows = frameRange(entry.start, played.end, rate);
    const fitted = place.hidden ? null : fitClip(crop, box, fit, whole);
    if (fitted === null && !place.hidden) {
      issues.warn(entry.path, 'clip.off_canvas', 'The clip lies outside the canvas; it is heard, but never visible.');
    }
    const look = fillsCanvas ? null : clipLook(entry, shows, fitOutline(crop, box, fit), context);
    const layer =
      place.layer ?? entry.layer ?? (coveredShare(whole, given) <= MAX_ABOVE ? 'above_board' : 'below_board');
    const isAboveBoard = layer === 'above_board';
    const matte = fitted && matteUnder(fitted, fillsCanvas, facts, whole);
    const motion = place.motion ?? entry.motion;
    const moved =
      motion !== null && fitted !== null && intersect(placeInBox(crop, box, fit).dest, whole) !== null
        ? placeMotion(
            {
              ...{ entry, facts, motion, cut: crop, fitted: placeInBox(crop, box, fit), seen: fitted.dest },
              ...{ slot: { start: entry.start, end: played.end }, rate },
            },
            issues,
          )
        : { motion: null };
    const geometry = fitted && { ...fitted, ...moved, matte, look, isAboveBoard };
    placed.push({ entry, facts, played, shows, fillsCanvas, geometry });
  }
  return placed;
}

/** A clip with the whole canvas also fills its bars; a picture-in-picture draws nothing beside itself. */
function matteUnder(fitted: FittedClip, fillsCanvas: boolean, facts: MediaFacts, whole: Rect): Rect | null {
  const covered = contains((fitted.backdrop ?? fitted).dest, whole);
  return fillsCanvas && !facts.alpha && !covered ? whole : null;
}

/** About the corner of a board's panel. */
const CORNER = 22;

/**
 * How a picture-in-picture is cut out and framed; null for a plain rectangle. By default it is rounded while a board,
 * which has round corners, is shown beside it. (C48)
 */
function clipLook(
  entry: VideoEntry,
  shows: Range<Frames>,
  rect: Rect,
  { request, canvas, rate }: PlanContext,
): ClipLook | null {
  const { shape, border, shadow } = entry.look;
  const scale = referenceScale(canvas);
  const besideBoard =
    request.hasTierList &&
    request.timeline.blocks.some(({ start, duration }) => overlaps(shows, frameRange(start, start + duration, rate)));
  const half = Math.min(rect.width, rect.height) / 2;
  const corners = { rect: 0, rounded: Math.min(half, Math.round(CORNER * scale)), circle: half };
  const radiusPx = corners[shape ?? (besideBoard ? 'rounded' : 'rect')];
  if (radiusPx === 0 && border === null && !shadow) return null;
  const widthPx = border === null ? 0 : Math.max(1, Math.round(border.width * scale));
  return { rect, radiusPx, border: border && { color: border.color, widthPx: Math.min(half, widthPx) }, shadow };
}
