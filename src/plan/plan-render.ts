import { type Frames, frameRange, frames, type Range, sampleAtFrame } from '../time.ts';
import type { Quality } from '../timeline/choices.ts';
import { IssueList } from '../timeline/issue-list.ts';
import { pointer } from '../timeline/json/json-pointer.ts';
import type { TimelineLimits } from '../timeline/limits.ts';
import type { Preset } from '../timeline/presets.ts';
import type { ExportRequest } from '../timeline/request/export-request.ts';
import { buildSpans } from './build-spans.ts';
import { cutChunks } from './cut-chunks.ts';
import { canvasBehind, placeGround } from './ground/place-ground.ts';
import { audioKey, keyChunks, voiceKeys } from './keys/chunk-key.ts';
import { digestWith, type Sha256 } from './keys/digest.ts';
import type { ClipLayer } from './layers/clip-layer.ts';
import type { Span } from './layers/span.ts';
import type { MediaFactsByField } from './media-facts.ts';
import { type ClipCandidate, clipsOnCanvas } from './place/clips/clips-on-canvas.ts';
import { EntryPlaces } from './place/entry-places.ts';
import { warnOfCovered } from './place/layer-warnings.ts';
import { placeBoard, placeWindows } from './place/place-board.ts';
import { type PlacedVideo, placeVideos } from './place/place-clips.ts';
import { placeProgressBar } from './place/place-progress-bar.ts';
import { cutShort, placeShorts } from './place/place-shorts.ts';
import { tileSounds } from './place/place-tile-sounds.ts';
import { placeTiles } from './place/place-tiles.ts';
import { MediaTable, type PlanContext } from './place/plan-context.ts';
import { planTheme } from './place/plan-theme.ts';
import { placeSubtitles } from './place/text/place-subtitles.ts';
import { placeTitles } from './place/text/place-titles.ts';
import { type PlacedSound, placeSounds, planSounds } from './plan-audio.ts';
import { planChapters } from './plan-chapters.ts';
import type { EncoderSettings, RenderPlan } from './render-plan.ts';

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
  const canvas = { width: size.width, height: size.height, ...canvasBehind(settings.background) };
  const places = new EntryPlaces(request, preset.name, canvas);
  const context: PlanContext = { request, places, canvas, rate, media, issues };

  const videos = placeVideos(context);
  const sounds = placeSounds(context);
  reportTooLong([...videos, ...sounds], limits.maxTimelineSeconds, issues);
  issues.throwIfFailed(request.warnings);

  const totalFrames = lastFrame(videos, sounds, context);
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
  const sound = {
    totalSamples,
    bitrateKbps: settings.audioBitrateKbps,
    loudness: settings.loudness,
    ...planSounds(videos, sounds, tileSounds(tiles, context), totalFrames, context),
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
    chapterTrack: settings.chapterTrack,
    shorts: (settings.shorts === preset.name ? shorts : []).map((short) => {
      return { ...short, chunks: chunks(cutShort(short, cuts, rate)) };
    }),
    warnings: [...request.warnings, ...issues.warnings],
  };
}

/** The video lasts until the latest end of any entry, even of one that is neither seen nor heard. (C24) */
function lastFrame(
  videos: readonly PlacedVideo[],
  sounds: readonly PlacedSound[],
  { request, rate }: PlanContext,
): Frames {
  const { blocks, titles, subtitles } = request.timeline;
  const ends = [
    ...videos.map(({ shows }) => shows.end),
    ...sounds.map(({ entry, played }) => frameRange(entry.start, played.end, rate).end),
    ...[...blocks, ...titles, ...subtitles].map(({ start, duration }) => frameRange(start, start + duration, rate).end),
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
