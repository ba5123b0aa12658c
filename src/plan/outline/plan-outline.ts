import type { Frames } from '../../time.ts';
import type { RenderPlan } from '../render-plan.ts';
import { type NeededSources, neededSources } from './needed-sources.ts';
import { posterFrame } from './poster-frame.ts';

/**
 * A plan as far as those need to know it who have it rendered: what there is to do and to put together, not how a frame
 * looks. Of hours of timeline it is a small part, and whoever answers requests meanwhile reads no more.
 */
export interface PlanOutline
  extends Pick<
    RenderPlan,
    'preset' | 'title' | 'canvas' | 'rate' | 'totalFrames' | 'encoder' | 'sources' | 'chunks' | 'chapters'
  > {
  readonly audio: Pick<RenderPlan['audio'], 'key' | 'totalSamples'>;
  /** The frame the poster shows. (C28) */
  readonly posterFrame: Frames;
  readonly needs: NeededSources;
}

export function outlineOf(plan: RenderPlan): PlanOutline {
  const { preset, title, canvas, rate, totalFrames, encoder, sources, chunks, chapters } = plan;
  const audio = { key: plan.audio.key, totalSamples: plan.audio.totalSamples };
  const frame = posterFrame(plan);
  const work = { chunks, chapters, audio, posterFrame: frame, needs: neededSources(plan, frame) };
  return { preset, title, canvas, rate, totalFrames, encoder, sources, ...work };
}
