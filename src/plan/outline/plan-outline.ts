import type { Frames, Samples } from '../../time.ts';
import type { RenderPlan, Short } from '../render-plan.ts';
import { chunkSources, type NeededSources, neededSources } from './needed-sources.ts';
import { posterFrame } from './poster-frame.ts';

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
  /** Where its sound begins in the mix of the whole; absent: with it. */
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
