import { firstIndex } from '../../collections.ts';
import type { Frames, Range } from '../../time.ts';
import type { ClipLayer } from '../model/clip-layer.ts';
import type { LayerRef, RenderPlan, Span } from '../model/render-plan.ts';
import { enterExitEdges } from './picture-envelope.ts';

/** Frames that are composed in the same way: part of a span in which no fade begins or ends. */
export interface FrameRun extends Range<Frames> {
  readonly layers: readonly LayerRef[];
}

/** The runs that make up `range`, in order; none extends beyond it. */
export function* frameRuns(plan: Pick<RenderPlan, 'spans' | 'clips'>, range: Range<Frames>): Generator<FrameRun> {
  for (let i = firstSpanAfter(plan.spans, range.start); i < plan.spans.length; i += 1) {
    const span = plan.spans[i]!;
    if (span.start >= range.end) return;
    const clips = span.layers.flatMap((layer) => (layer.kind === 'clip' ? [layer.index] : []));
    const start = Math.max(span.start, range.start) as Frames;
    const end = Math.min(span.end, range.end) as Frames;
    const edges = clips
      .flatMap((clip) => enterExitEdges(plan.clips[clip]!))
      .filter((edge) => edge > start && edge < end);
    const cuts = [...new Set([start, ...edges, end])].sort((a, b) => a - b);
    for (let cut = 1; cut < cuts.length; cut += 1) {
      yield { start: cuts[cut - 1]!, end: cuts[cut]!, layers: span.layers };
    }
  }
}

/** The content of the frames of a range, for the choice of encoder settings. */
export type Material = 'filmed' | 'moved' | 'drawn';

/** `drawn`: boards, texts and still pictures. `moved`: these, and pictures that pan and zoom. */
export function materialOf(plan: Pick<RenderPlan, 'spans' | 'clips'>, range: Range<Frames>): Material {
  const clips = spansIn(plan, range).flatMap((span) => clipsOf(plan, span));
  if (clips.some(({ kind }) => kind !== 'still')) return 'filmed';
  return clips.some(({ motion }) => motion !== null) ? 'moved' : 'drawn';
}

/** The frames of a range at which another picture or a board comes or goes. */
export function cutsIn(plan: Pick<RenderPlan, 'spans' | 'clips' | 'sources'>, range: Range<Frames>): Set<Frames> {
  // Depends only on what is in a chunk's key: chunks with the same key are cut at the same frames.
  const shown = spansIn(plan, range).map((span) => {
    const boards = span.layers.filter(({ kind }) => kind === 'board').length;
    const pictures = clipsOf(plan, span).map(({ source, crop, dest }) => [plan.sources[source]!.hash, crop, dest]);
    return { start: span.start, what: JSON.stringify([boards, pictures]) };
  });
  return new Set(shown.filter(({ what }, i) => i > 0 && what !== shown[i - 1]!.what).map(({ start }) => start));
}

/** The clips of a span, back to front. */
export function clipsOf({ clips }: Pick<RenderPlan, 'clips'>, { layers }: Span): ClipLayer[] {
  return layers.flatMap(({ kind, index }) => (kind === 'clip' ? [clips[index]!] : []));
}

function spansIn({ spans }: Pick<RenderPlan, 'spans'>, { start, end }: Range<Frames>): readonly Span[] {
  return spans.slice(
    firstSpanAfter(spans, start),
    firstIndex(spans.length, (index) => spans[index]!.start >= end),
  );
}

/** The span of a frame; undefined if the video has no such frame. */
export function spanAt(spans: RenderPlan['spans'], frame: Frames): Span | undefined {
  return spans[firstSpanAfter(spans, frame)];
}

/** Index of the first span that ends after `frame`. (R9) */
function firstSpanAfter(spans: RenderPlan['spans'], frame: Frames): number {
  return firstIndex(spans.length, (index) => spans[index]!.end > frame);
}
