import { paintedLayer } from '../../../plan/painted/painted-kinds.ts';
import { EntryPlaces } from '../../../plan/place/entry-places.ts';
import type { LayerRef, RenderPlan } from '../../../plan/render-plan.ts';
import type { Frames, Range } from '../../../time.ts';
import type { ExportRequest, PercentBox } from '../../../timeline/export-request.ts';

/** Where an entry stands in a shape, every default filled in. */
export interface PlaceOfEntry {
  /** The canvas as a whole is a box like any other. */
  readonly box: PercentBox;
  /** Not in this shape at all. */
  readonly hidden: boolean;
  /** The frames it is seen at, in order. */
  readonly seen: readonly Range<Frames>[];
}

/** The place of the entry at a JSON Pointer, by the planner's own rules (C21, C42); null where there is none. */
export function placeOfEntry(request: ExportRequest, path: string, plan: RenderPlan): PlaceOfEntry | null {
  const { preset, canvas } = plan;
  const { timeline } = request;
  const places = new EntryPlaces(request, preset, canvas);
  const video = timeline.videos.find((entry) => entry.path === path);
  const block = timeline.blocks.find((entry) => entry.path === path);
  const title = timeline.titles.find((entry) => entry.path === path);
  const subtitle = timeline.subtitles.find((entry) => entry.path === path);
  const found =
    (video && places.video(video)) ??
    (block && places.block(block)) ??
    (title && places.title(title)) ??
    (subtitle && places.subtitle(subtitle));
  return found === undefined ? null : { box: found.box ?? WHOLE, hidden: found.hidden, seen: seenOf(plan, path) };
}

const WHOLE: PercentBox = { x: 0, y: 0, width: 100, height: 100 };

function seenOf(plan: RenderPlan, path: string): Range<Frames>[] {
  const isIt = (ref: LayerRef) =>
    (ref.kind === 'clip' ? plan.clips[ref.index]! : paintedLayer(plan, ref)).path === path;
  return plan.spans.filter(({ layers }) => layers.some(isIt)).map(({ start, end }) => ({ start, end }));
}
