import { firstIndex } from '../collections/first-index.ts';
import type { Frames, Range } from '../time.ts';
import { isPassing, passingEdges } from './envelope/picture-envelope.ts';
import type { ClipLayer, LayerRef, RenderPlan } from './render-plan.ts';

/** Frames that are composed in one and the same way: part of a span in which no fade begins or ends. */
export interface FrameRun extends Range<Frames> {
  readonly layers: readonly LayerRef[];
  /** Clips, by index, that are seen through here. */
  readonly fading: ReadonlySet<number>;
}

/** The runs that make up `range`, in order; none reaches beyond it. */
export function* frameRuns(plan: Pick<RenderPlan, 'spans' | 'clips'>, range: Range<Frames>): Generator<FrameRun> {
  for (let i = firstSpanAfter(plan.spans, range.start); i < plan.spans.length; i += 1) {
    const span = plan.spans[i]!;
    if (span.start >= range.end) return;
    const clips = span.layers.flatMap((layer) => (layer.kind === 'clip' ? [layer.index] : []));
    const start = Math.max(span.start, range.start) as Frames;
    const end = Math.min(span.end, range.end) as Frames;
    const edges = clips.flatMap((clip) => passingEdges(plan.clips[clip]!)).filter((edge) => edge > start && edge < end);
    const cuts = [...new Set([start, ...edges, end])].sort((a, b) => a - b);
    for (let cut = 1; cut < cuts.length; cut += 1) {
      const part = { start: cuts[cut - 1]!, end: cuts[cut]! };
      const fading = new Set(clips.filter((clip) => isPassing(plan.clips[clip]!, part)));
      yield { ...part, layers: span.layers, fading };
    }
  }
}

/** Whether nothing that is seen in `range` was filmed: boards, texts and pictures alone. */
export function isDrawn(plan: Pick<RenderPlan, 'spans' | 'clips'>, range: Range<Frames>): boolean {
  for (let i = firstSpanAfter(plan.spans, range.start); i < plan.spans.length; i += 1) {
    const { start, layers } = plan.spans[i]!;
    if (start >= range.end) break;
    if (layers.some((layer) => layer.kind === 'clip' && isFilmed(plan.clips[layer.index]!))) return false;
  }
  return true;
}

/** A picture that moves is as hard to encode as a film. */
function isFilmed({ kind, motion }: ClipLayer): boolean {
  return kind !== 'still' || motion !== null;
}

/** Index of the first span that ends after `frame`. (R9) */
function firstSpanAfter(spans: RenderPlan['spans'], frame: Frames): number {
  return firstIndex(spans.length, (index) => spans[index]!.end > frame);
}
