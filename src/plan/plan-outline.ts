import { ExportError } from '../errors.ts';
import { type Frames, frames, type Range, type Samples, sampleAtFrame, samples } from '../time.ts';
import { plannedFonts } from './model/fonts.ts';
import type { Chapter, RenderPlan, Short } from './model/render-plan.ts';

/**
 * The part of a plan that the scheduler needs: the chunks to render and to join, not what a frame looks like. It is
 * small even for a long timeline, so the process that serves requests reads nothing more.
 */
export interface PlanOutline
  extends Pick<
    RenderPlan,
    | 'preset'
    | 'title'
    | 'canvas'
    | 'rate'
    | 'totalFrames'
    | 'encoder'
    | 'sources'
    | 'chunks'
    | 'chapters'
    | 'chapterTrack'
  > {
  readonly audio: Pick<RenderPlan['audio'], 'key' | 'totalSamples' | 'voices'>;
  /** First sample in the full mix; absent: 0. */
  readonly soundStart?: Samples;
  /** The frame the poster shows. (C28) */
  readonly posterFrame: Frames;
  readonly needs: NeededSources;
  /** The shorts that can be cut from it. Earlier versions had none. (C52) */
  readonly shorts?: readonly ShortOutline[];
  /** The plan it is cut from, whose frames and frame numbers it uses; absent: it has its own plan. */
  readonly cutOf?: string;
}

/** A short, and the uploads that each of its chunks is made of. */
interface ShortOutline extends Short {
  readonly needs: NeededSources['chunks'];
}

export function outlineOf(plan: RenderPlan): PlanOutline {
  const { preset, title, canvas, rate, totalFrames, encoder, sources, chunks, chapters, chapterTrack } = plan;
  const { key, totalSamples, voices } = plan.audio;
  const audio = { key, totalSamples, voices };
  const frame = posterFrame(plan);
  const shorts = plan.shorts.map((short) => ({ ...short, needs: chunkSources(plan, short.chunks) }));
  const work = { chunks, chapters, chapterTrack, audio, posterFrame: frame, needs: neededSources(plan, frame), shorts };
  return { preset, title, canvas, rate, totalFrames, encoder, sources, ...work };
}

/** Under this name the plan is kept that shorts are cut from: no preset has a dot in its name. */
export const SHORTS_PLAN = 'short.0';

/** The output name of the short with this number, counted from 1. */
export function shortName(number: number): string {
  return `short.${number}`;
}

/** The number of a short by its output's name; null for a preset. */
export function shortNumber(output: string): number | null {
  const [, number] = /^short\.([1-9][0-9]*)$/.exec(output) ?? [];
  return number === undefined ? null : Number(number);
}

/** The name of the plan that an output is rendered from. */
export function planOf(output: string): string {
  return shortNumber(output) === null ? output : SHORTS_PLAN;
}

/** The parts of a plan for the assembly of the whole video or of a short. */
type Cut = Pick<RenderPlan, 'title' | 'rate' | 'chapters'>;

/**
 * A short as its file is put together: its frame `n` is frame `start + n` of the whole, and its sound the same stretch of the
 * same mix, to the sample. Its chunks stay counted from the beginning of the whole. (C52)
 */
export function cutOutput({ title, rate, chapters }: Cut, short: Short) {
  const soundStart = sampleAtFrame(short.start, rate);
  return {
    title: title === '' ? short.title : `${title}: ${short.title}`,
    totalFrames: frames(short.end - short.start),
    chunks: short.chunks,
    chapters: chapters.filter(({ start, end }) => start < short.end && end > short.start).map(within(short)),
    soundStart,
    totalSamples: samples(sampleAtFrame(short.end, rate) - soundStart),
  };
}

/** The outline of the short with this number; null if there is none. */
export function shortOutline(whole: PlanOutline, number: number): PlanOutline | null {
  const short = whole.shorts?.[number - 1];
  if (short === undefined) return null;
  const { totalSamples, ...cut } = cutOutput(whole, short);
  const { shorts: _, ...rest } = whole;
  return {
    ...rest,
    ...cut,
    preset: shortName(number),
    audio: { ...whole.audio, totalSamples },
    needs: { ...whole.needs, chunks: short.needs },
    cutOf: SHORTS_PLAN,
  };
}

function within({ start, end }: Short): (chapter: Chapter) => Chapter {
  return (chapter) => ({
    start: (Math.max(chapter.start, start) - start) as Frames,
    end: (Math.min(chapter.end, end) - start) as Frames,
    title: chapter.title,
  });
}

/**
 * The uploads that the frames of these ranges need. They always include pictures and fonts of the board: these are
 * small, and the board's layout depends on all of its pictures.
 */
export function pictureSources(plan: RenderPlan, ranges: readonly Range<Frames>[]): Set<number> {
  const seen = plan.clips.filter(({ shows }) =>
    ranges.some(({ start, end }) => shows.start < end && start < shows.end),
  );
  const needed = new Set(seen.map(({ source }) => source));
  for (const { image } of plan.board?.items ?? []) if (image !== null) needed.add(image);
  for (const { source } of plannedFonts(plan)) if (source !== null) needed.add(source);
  return needed;
}

/** The uploads that are heard. */
export function soundSources({ audio }: RenderPlan): Set<number> {
  return new Set(audio.clips.map(({ source }) => source).filter((source) => typeof source === 'number'));
}

/** Which uploads each job needs: a worker fetches no others. */
interface NeededSources {
  /** By chunk. */
  readonly chunks: readonly (readonly number[])[];
  readonly sound: readonly number[];
  readonly poster: readonly number[];
}

/** For each of the chunks. */
function chunkSources(plan: RenderPlan, chunks: readonly Range<Frames>[]): NeededSources['chunks'] {
  return chunks.map((chunk) => [...pictureSources(plan, [chunk])]);
}

export function neededSources(plan: RenderPlan, posterFrame: Frames): NeededSources {
  const poster = { start: posterFrame, end: (posterFrame + 1) as Frames };
  return {
    chunks: chunkSources(plan, plan.chunks),
    sound: [...soundSources(plan)],
    poster: [...pictureSources(plan, [poster])],
  };
}

/** The frame that shows the most complete board, as late as possible; the middle if there is no board. (C28) */
function posterFrame({ spans, totalFrames }: Pick<RenderPlan, 'spans' | 'totalFrames'>): Frames {
  let best: { readonly settled: number; readonly frame: number } | null = null;
  for (const { end, layers } of spans) {
    for (const layer of layers) {
      if (layer.kind !== 'board' || (best !== null && layer.settled < best.settled)) continue;
      best = { settled: layer.settled, frame: end - 1 };
    }
  }
  return (best?.frame ?? totalFrames >> 1) as Frames;
}

const PLAN_MISSING = 'export.plan_missing';

/** The plan of an export is permanently gone. */
export function planMissing(cause?: unknown): ExportError {
  const message = 'The stored plan of this export is missing or damaged. Send the request again.';
  return new ExportError('internal', PLAN_MISSING, message, { cause });
}

export function isPlanMissing(error: unknown): error is ExportError {
  return error instanceof ExportError && error.code === PLAN_MISSING;
}
