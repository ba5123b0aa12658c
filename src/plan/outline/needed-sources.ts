import type { Frames, Range } from '../../time.ts';
import { plannedFonts } from '../font/planned-fonts.ts';
import type { RenderPlan } from '../render-plan.ts';

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
export interface NeededSources {
  /** By chunk. */
  readonly chunks: readonly (readonly number[])[];
  readonly sound: readonly number[];
  readonly poster: readonly number[];
}

/** For each of the chunks. */
export function chunkSources(plan: RenderPlan, chunks: readonly Range<Frames>[]): NeededSources['chunks'] {
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
