import { type Frames, frames, micros, type Range, speedMillionths } from '../../time.ts';
import type { BackgroundSettings, ThemeSettings } from '../../timeline/export-request.ts';
import { IssueList } from '../../timeline/issue-list.ts';
import { clipTime } from '../frame/clip-at-frame.ts';
import { BACKDROP_BLUR } from '../frame/ground.ts';
import type { Canvas, Rect } from '../model/canvas.ts';
import { DRAWING_AS_CLIP } from '../model/media-facts.ts';
import { lookOf } from '../theme/theme-looks.ts';
import type { ClipCandidate } from './clips-on-canvas.ts';
import { cropRect, fitClip } from './fit-clip.ts';
import type { PlacedVideo } from './place-clips.ts';
import type { PlanContext } from './plan-context.ts';

/** The background of a preset's canvas, without background clips. (C61) */
export function canvasBehind(
  background: BackgroundSettings,
  { base }: Pick<ThemeSettings, 'base'>,
): Pick<Canvas, 'background' | 'behind'> {
  if (background.kind === 'color') return { background: background.color };
  if (background.kind === 'theme') {
    return { background: lookOf({ name: base }).ground.color, behind: { theme: base } };
  }
  if (background.kind !== 'gradient') return { background: '#000000', behind: 'clip' };
  const { colors, angle, moving } = background;
  return { background: colors[0]!, behind: { colors, angle, moving } };
}

/** The picture, or the copies of a clip, behind everything; each frame of the video has one. Faults are reported. (C61) */
export function placeGround(
  videos: readonly PlacedVideo[],
  totalFrames: Frames,
  context: PlanContext,
): ClipCandidate[] {
  const { background } = context.request.settings;
  if (background.kind === 'image') return placeImage(background, totalFrames, context);
  if (background.kind !== 'blur') return [];
  const of = videos.find(({ entry }) => entry.id === background.of);
  if (of === undefined) return [];
  const clips = background.follow ? clipsInPlaceOf(of, videos, context) : [of];
  return turnsOf(clips, totalFrames).flatMap(({ clip, ...time }) => placeCopies(clip, time, context));
}

/** The clips that the documents put into the box of a clip, by their start. */
function clipsInPlaceOf(of: PlacedVideo, videos: readonly PlacedVideo[], { places }: PlanContext): PlacedVideo[] {
  const boxOf = ({ entry }: PlacedVideo) => JSON.stringify(places.givenVideoBox(entry));
  return videos.filter((video) => boxOf(video) === boxOf(of)).sort((a, b) => a.shows.start - b.shows.start);
}

/**
 * Divides the time among clips: at each frame the one on screen that started last, else the one before it. The first
 * one also has the time before it.
 */
function turnsOf(clips: readonly PlacedVideo[], totalFrames: Frames): (Range<Frames> & { clip: PlacedVideo })[] {
  const edges = new Set([0, ...clips.flatMap(({ shows }) => [shows.start, shows.end])]);
  const starts = [...edges].filter((edge) => edge < totalFrames).sort((a, b) => a - b) as Frames[];
  const turns: (Range<Frames> & { clip: PlacedVideo })[] = [];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? totalFrames;
    const last = turns.at(-1);
    const clip = clips.findLast(({ shows }) => shows.start <= start && start < shows.end) ?? last?.clip ?? clips[0]!;
    if (last?.clip === clip) turns.splice(-1, 1, { ...last, end });
    else turns.push({ clip, start, end });
  }
  return turns;
}

/** Fully visible in all of its frames. */
const ALWAYS_SHOWN = {
  ...{ lead: frames(0), fadeIn: frames(0), fadeOut: frames(0), transitionOut: frames(0) },
  ...{ enter: null, exit: null, transition: null, motion: null },
} as const;

function placeImage(
  { media, blur }: Extract<BackgroundSettings, { kind: 'image' }>,
  totalFrames: Frames,
  { media: table, canvas, issues }: PlanContext,
): ClipCandidate[] {
  const { kind, width, height, alpha, duration } = table.facts(media);
  if (kind === 'drawing') issues.error(media.path, 'media.unsupported', DRAWING_AS_CLIP, 'unsupported');
  else if (kind !== 'still' && kind !== 'animation') {
    issues.error(media.path, 'media.no_picture', 'A background needs an image; this file is not one.');
  }
  if (kind !== 'still' && kind !== 'animation') return [];
  const trim = { start: micros(0), end: micros(Math.max(1, Math.round(duration * 1e6))) };
  const time = { shows: { start: frames(0), end: totalFrames }, trim, speed: 1e6, loop: kind === 'animation' };
  const crop = { x: 0, y: 0, width, height };
  return [{ id: 'background', path: media.path, media, kind, ...time, ...filling(crop, canvas, blur / 100), alpha }];
}

/** The clip while it is on screen; before and after that, within a time, its nearest frame. */
function placeCopies(
  { entry, facts, played, shows }: PlacedVideo,
  time: Range<Frames>,
  { canvas, rate }: PlanContext,
): ClipCandidate[] {
  // Placing the clip itself has reported the errors of its crop.
  const crop = cropRect(entry.crop, facts, entry.path, new IssueList());
  const playing = {
    shows,
    trim: played.trim,
    speed: speedMillionths(entry.speed),
    loop: facts.kind === 'animation',
    lead: frames(0),
  };
  const held = (part: Range<Frames>, at: Frames) => {
    const shown = clipTime(playing, at, rate);
    return { ...playing, shows: part, trim: { start: shown, end: micros(shown + 1) }, loop: false };
  };
  const kind: ClipCandidate['kind'] = facts.kind === 'still' || facts.kind === 'animation' ? facts.kind : 'video';
  const onScreen = { start: later(shows.start, time.start), end: earlier(shows.end, time.end) };
  const parts = [
    held({ start: time.start, end: shows.start }, shows.start),
    { ...playing, shows: onScreen, lead: frames(shows.start - onScreen.start) },
    held({ start: later(shows.end, time.start), end: time.end }, frames(shows.end - 1)),
  ];
  return parts
    .filter((part) => part.shows.start < part.shows.end)
    .map((part): ClipCandidate => {
      const { id, path, media } = entry;
      return { id, path, media, kind, ...filling(crop, canvas, BACKDROP_BLUR), ...part, alpha: facts.alpha };
    });
}

function earlier(a: Frames, b: Frames): Frames {
  return a < b ? a : b;
}

function later(a: Frames, b: Frames): Frames {
  return a > b ? a : b;
}

/** A picture that fills the canvas, behind everything. */
function filling(crop: Rect, { width, height }: Canvas, blur: number) {
  const whole = { x: 0, y: 0, width, height };
  const { backdrop: _, ...placed } = fitClip(crop, whole, 'cover', whole)!;
  return { ...placed, backdrop: null, matte: null, look: null, isAboveBoard: false, ground: { blur }, ...ALWAYS_SHOWN };
}
