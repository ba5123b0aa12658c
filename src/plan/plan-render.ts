import {
  type FrameRate,
  type Frames,
  frameAt,
  frameRange,
  frames,
  type Range,
  sampleAtFrame,
  secondsOf,
} from '../time.ts';
import type { Quality } from '../timeline/choices.ts';
import type { ExportRequest, TierList } from '../timeline/export-request.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { pointer } from '../timeline/json/json-pointer.ts';
import type { TimelineLimits } from '../timeline/limits.ts';
import type { Preset } from '../timeline/presets.ts';
import { buildSpans } from './build-spans.ts';
import { cutChunks } from './cut-chunks.ts';
import { audioKey, keyChunks, voiceKeys } from './keys/chunk-key.ts';
import { digestWith, type Sha256 } from './keys/digest.ts';
import { canvasRect, coveredShare, nearestEven, REFERENCE_SIDE, type Rect } from './model/canvas.ts';
import type { ClipLayer } from './model/clip-layer.ts';
import type { MediaFactsByField } from './model/media-facts.ts';
import type { BoardWindow, ProgressBar } from './model/painted-layers.ts';
import type { Chapter, EncoderSettings, RenderPlan, Span } from './model/render-plan.ts';
import { type ClipCandidate, clipsOnCanvas } from './place/clips-on-canvas.ts';
import { EntryPlaces } from './place/entry-places.ts';
import { placeBoard, placeWindows } from './place/place-board.ts';
import { type PlacedVideo, placeVideos } from './place/place-clips.ts';
import { canvasBehind, placeGround } from './place/place-ground.ts';
import { cutShort, placeShorts } from './place/place-shorts.ts';
import { placeSubtitles } from './place/place-subtitles.ts';
import { placeTiles } from './place/place-tiles.ts';
import { placeTitles } from './place/place-titles.ts';
import { MediaTable, type PlanContext } from './place/plan-context.ts';
import { planTheme } from './place/plan-theme.ts';
import { type PlacedSound, placeSounds, planSounds, tileSounds } from './plan-audio.ts';
import { warnOfTruncated } from './resolve-facts.ts';

/** Constant quality by name: lower is better and larger. */
const CRF: Readonly<Record<Quality, number>> = { draft: 28, balanced: 21, high: 18, upload: 17 };
const KEYFRAME_SECONDS = 2;

/** The inputs of a plan besides the request. */
interface PlanOptions {
  readonly facts: MediaFactsByField;
  /** The preset to plan for; any of the three, not only the selected one. (C12) */
  readonly preset: Preset;
  readonly limits: Pick<TimelineLimits, 'maxTimelineSeconds' | 'maxLayersAtOnce'>;
}

/** The inputs of keys. */
interface KeyOptions {
  /** Part of every key: chunks of another engine are not reused. */
  readonly engineVersion: string;
  readonly sha256: Sha256;
}

/**
 * Plans the whole video, to the frame and to the sample.
 *
 * @throws ExportError with everything that the media make impossible, each at its JSON Pointer.
 */
export function planRender(request: ExportRequest, options: PlanOptions & KeyOptions): RenderPlan {
  const plan = planVideo(request, options);
  const { engineVersion } = options;
  const digest = digestWith(options.sha256);
  const withKeys = (ranges: readonly Range<Frames>[]) => keyChunks(plan, ranges, engineVersion, digest);
  return {
    ...plan,
    chunks: withKeys(plan.chunks),
    audio: {
      ...plan.audio,
      key: audioKey(plan.audio, plan.sources, engineVersion, digest),
      voices: voiceKeys(plan.audio, plan.sources, engineVersion, digest),
    },
    shorts: plan.shorts.map((short) => ({ ...short, chunks: withKeys(short.chunks) })),
  };
}

/** The same without keys, which take half of the time: for callers that do not render. */
export function planVideo(request: ExportRequest, { facts, preset, limits }: PlanOptions): RenderPlan {
  const { settings } = request;
  const { rate } = settings;
  const issues = new IssueList();
  const media = new MediaTable(facts);
  const size = preset.name === settings.preset ? settings : preset;
  const canvas = { width: size.width, height: size.height, ...canvasBehind(settings.background, settings.theme) };
  const places = new EntryPlaces(request, preset.name, canvas);
  const context: PlanContext = { request, places, canvas, rate, media, issues };
  warnOfTruncated(request, facts, issues);

  const videos = placeVideos(context);
  const sounds = placeSounds(context);
  const lasting = sounds.filter((sound) => !followsPicture(sound, videos, context));
  reportTooLong([...videos, ...lasting], limits.maxTimelineSeconds, issues);
  issues.throwIfFailed(request.warnings);

  const totalFrames = lastFrame(videos, lasting, context);
  warnOfLongMusic(lasting, videos, context);
  const windows = placeWindows(context, totalFrames);
  warnOfCovered(videos, windows, context);
  const candidates = [...clipsOnCanvas(videos, context), ...placeGround(videos, totalFrames, context)];
  const tiles = placeTiles(context);
  const board = placeBoard(windows, tiles, context);
  const subtitles = placeSubtitles(context);
  const isWritten = board !== null || subtitles.length > 0 || request.timeline.titles.length > 0;
  const theme = planTheme(context, isWritten);
  const titles = placeTitles(context, theme, totalFrames);
  const painted = {
    board: windows,
    title: titles,
    subtitle: subtitles,
    progress: placeProgressBar(context, totalFrames),
  };
  const scene = { canvas, totalFrames, clips: candidates, board, painted };
  const allSpans = buildSpans(scene, limits.maxLayersAtOnce, issues);
  issues.throwIfFailed(request.warnings);
  const { clips, spans } = dropUnseen(candidates, allSpans, media);

  const totalSamples = sampleAtFrame(totalFrames, rate);
  const mix = planSounds(videos, sounds, tileSounds(tiles, context), totalFrames, context);
  const sound = {
    totalSamples,
    bitrateKbps: settings.audioBitrateKbps,
    // Reveals alone stay at their moderate level: they are no programme whose loudness could be set. (R41)
    loudness: mix.clips.every(({ lane }) => lane === 'tier_tiles') && mix.clips.length > 0 ? null : settings.loudness,
    ...mix,
  };
  const encoder: EncoderSettings = {
    preset: settings.encoderPreset,
    crf: CRF[settings.quality],
    keyframeEvery: frames(Math.max(1, Math.round((KEYFRAME_SECONDS * rate.num) / rate.den))),
  };
  const { sources } = media;
  const shown = { clips, theme, board, painted };
  const keyed = { canvas, rate, totalFrames, encoder, sources, ...shown, spans };
  const cuts = cutChunks(spans, totalFrames, rate);
  const chunks = (ranges: readonly Range<Frames>[]) => ranges.map((range) => ({ ...range, key: '' }));
  const shorts = settings.shorts === null ? [] : placeShorts(tiles, context, totalFrames);
  if (settings.shorts !== null && shorts.length === 0) {
    issues.warn('/settings/shorts', 'shorts.none', 'Nothing is revealed in this video: there are no shorts.');
  }
  return {
    preset: preset.name,
    title: request.tierList.title,
    ...keyed,
    chunks: chunks(cuts),
    audio: { ...sound, key: '', voices: [] },
    chapters: planChapters(request, rate, totalFrames),
    chapterTrack: settings.chapters,
    shorts: (settings.shorts === preset.name ? shorts : []).map((short) => {
      return { ...short, chunks: chunks(cutShort(short, cuts, rate)) };
    }),
    warnings: [...request.warnings, ...issues.warnings],
  };
}

/** Where the last thing that is seen ends. */
function lastSeen(videos: readonly PlacedVideo[], { request, rate }: PlanContext): Frames {
  const { blocks, titles, subtitles } = request.timeline;
  const entries = [...blocks, ...titles, ...subtitles];
  const ends = entries.map(({ start, duration }) => frameRange(start, start + duration, rate).end);
  return frames([...videos.map(({ shows }) => shows.end), ...ends].reduce((latest, end) => Math.max(latest, end), 0));
}

/** Music without a duration ends with the last thing that is seen: it does not make the video longer. (C24) */
function followsPicture(sound: PlacedSound, videos: readonly PlacedVideo[], context: PlanContext): boolean {
  const { lane, role, entry } = sound;
  const isMusic = lane === 'soundtracks' && role !== 'voice';
  return isMusic && entry.duration === null && frameAt(entry.start, context.rate) < lastSeen(videos, context);
}

function warnOfLongMusic(sounds: readonly PlacedSound[], videos: readonly PlacedVideo[], context: PlanContext): void {
  const seen = lastSeen(videos, context);
  if (seen === 0) return;
  for (const { lane, role, entry, played } of sounds) {
    if (lane !== 'soundtracks' || role === 'voice' || frameAt(played.end, context.rate) <= seen) continue;
    const end = Math.round(secondsOf(seen, context.rate) * 100) / 100;
    const message = `The music lasts until ${Math.round(played.end * 100) / 100} s, and nothing is seen after ${end} s. Without a duration it would end with the picture.`;
    context.issues.warn(entry.path, 'sound.after_picture', message);
  }
}

/** The video lasts until the latest end of any entry, even of one that is neither seen nor heard. (C24) */
function lastFrame(videos: readonly PlacedVideo[], sounds: readonly PlacedSound[], context: PlanContext): Frames {
  const ends = [
    lastSeen(videos, context),
    ...sounds.map(({ entry, played }) => frameRange(entry.start, played.end, context.rate).end),
  ];
  return frames(ends.reduce((latest, end) => Math.max(latest, end), 0));
}

/** For an entry without a duration, only its media have the length. */
function reportTooLong(placed: readonly (PlacedVideo | PlacedSound)[], maxSeconds: number, issues: IssueList): void {
  for (const { entry, played } of placed) {
    if (played.end <= maxSeconds) continue;
    const message = `The entry ends at ${played.end} s; a timeline lasts at most ${maxSeconds} s.`;
    const place = entry.duration === null ? entry.path : pointer(entry.path, 'duration');
    issues.error(place, 'timeline.too_long', message);
  }
}

/** Leaves out the clips no span shows, so that their files are never opened, and renumbers the rest. (R8) */
function dropUnseen(
  candidates: readonly ClipCandidate[],
  spans: readonly Span[],
  media: MediaTable,
): { clips: ClipLayer[]; spans: Span[] } {
  const seen = new Set<number>();
  for (const { layers } of spans) for (const ref of layers) if (ref.kind === 'clip') seen.add(ref.index);
  const kept = [...candidates.keys()].filter((index) => seen.has(index));
  const renumbered = new Map(kept.map((old, index) => [old, index]));
  const clips = kept.map((index): ClipLayer => {
    const { media: file, ...layer } = candidates[index]!;
    const transition = layer.transition && {
      ...layer.transition,
      from: renumbered.get(layer.transition.from ?? -1) ?? null,
    };
    return { ...layer, transition, source: media.use(file) };
  });
  // Two hours are thousands of spans: if no clip was left out they need no change.
  if (kept.length === candidates.length) return { clips, spans: [...spans] };
  return {
    clips,
    spans: spans.map((span) => ({
      ...span,
      layers: span.layers.map((ref) => (ref.kind === 'clip' ? { ...ref, index: renumbered.get(ref.index)! } : ref)),
    })),
  };
}

/** The name of the time before the first reveal, if the tier list has no title. */
const OPENING = 'Intro';

/**
 * A chapter for each tile in the video, whether or not a board shows it; those in the same frame share one. A move
 * names both rows. (C22, C28, C44, R17)
 */
function planChapters({ tierList, timeline }: ExportRequest, rate: FrameRate, totalFrames: Frames): Chapter[] {
  const starts: { at: Frames; names: string[] }[] = [];
  const rowOf = new Map(tierList.rows.flatMap(({ items }, row) => items.map((item) => [item, row])));
  for (const { item, position, move } of timeline.tiles.toSorted((a, b) => a.position - b.position)) {
    const at = frameAt(position, rate);
    if (at >= totalFrames) continue;
    const name = chapterName({ tierList, item, from: rowOf.get(item), to: move?.row });
    if (move !== null) rowOf.set(item, move.row);
    const last = starts.at(-1);
    if (last?.at === at) last.names.push(name);
    else starts.push({ at, names: [name] });
  }
  if (starts.length > 0 && starts[0]!.at > 0) {
    starts.unshift({ at: 0 as Frames, names: [oneLine(tierList.title) || OPENING] });
  }
  return starts.map(({ at, names }, i) => ({
    start: at,
    end: starts[i + 1]?.at ?? totalFrames,
    title: names.join(', '),
  }));
}

/** "Pluto", or "Pluto: D → S" where it changes rows. */
function chapterName(tile: {
  readonly tierList: TierList;
  readonly item: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
}): string {
  const { tierList, item, from, to } = tile;
  const name = oneLine(tierList.items[item]!.name);
  if (to === undefined || to === from) return name;
  const label = (row: number) => oneLine(tierList.rows[row]!.label);
  return from === undefined ? `${name}: → ${label(to)}` : `${name}: ${label(from)} → ${label(to)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The share by which a clip and a board may overlap without a warning. (C54) */
const MAX_COVERED = 0.3;

/** Warns of clips that hide a board, and of clips with a box that a board hides. Clips that fill the canvas never warn. (C54) */
function warnOfCovered(
  videos: readonly PlacedVideo[],
  windows: readonly BoardWindow[],
  { places, canvas, issues }: PlanContext,
): void {
  const whole: Rect = { x: 0, y: 0, width: canvas.width, height: canvas.height };
  for (const { entry, shows, geometry } of videos) {
    const { box } = places.video(entry);
    if (geometry === null || box === null || coveredShare(whole, canvasRect(box, canvas)) === 1) continue;
    const rect = geometry.look?.rect ?? geometry.dest;
    const met = windows.filter((window) => window.shows.start < shows.end && shows.start < window.shows.end);
    if (geometry.isAboveBoard) {
      const max = Math.max(0, ...met.map((window) => coveredShare(window.rect, rect)));
      if (max <= MAX_COVERED) continue;
      const message = `The clip covers ${percent(max)} of the board. Give one of them another place, or set "layer": "below_board".`;
      issues.warn(entry.path, 'clip.covers_board', message);
    } else {
      const max = Math.max(0, ...met.map((window) => coveredShare(rect, window.rect)));
      if (max <= MAX_COVERED) continue;
      const message = `The board covers ${percent(max)} of the clip. Give one of them another place, or set "layer": "above_board".`;
      issues.warn(entry.path, 'clip.behind_board', message);
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Of the canvas's shorter side. */
const THICKNESS = 6 / REFERENCE_SIDE;

/** Along the foot of the canvas; in portrait along its head, since players of short videos cover the foot. (C52) */
function placeProgressBar(
  { request, canvas }: Pick<PlanContext, 'request' | 'canvas'>,
  totalFrames: Frames,
): ProgressBar[] {
  if (!request.settings.progressBar) return [];
  const { width, height } = canvas;
  const thick = Math.max(2, nearestEven(Math.min(width, height) * THICKNESS));
  const rect = { x: 0, y: height > width ? 0 : height - thick, width, height: thick };
  const shows = { start: frames(0), end: totalFrames };
  return [{ id: '', path: '/settings/progress_bar', shows, rect, enter: null, exit: null }];
}
