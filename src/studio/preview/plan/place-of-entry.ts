import type { LayerRef } from '../../../plan/layers/span.ts';
import { paintedLayer } from '../../../plan/painted/painted-kinds.ts';
import { EntryPlaces } from '../../../plan/place/entry-places.ts';
import type { RenderPlan } from '../../../plan/render-plan.ts';
import type { Frames, Range } from '../../../time.ts';
import type { ExportRequest } from '../../../timeline/request/export-request.ts';
import type { PercentBox } from '../../../timeline/request/places.ts';

/** The box of an entry in a preset, with all defaults filled in. */
export interface PlaceOfEntry {
  /** Also set for an entry that covers the whole canvas. */
  readonly box: PercentBox;
  /** Whether the entry is hidden in this preset. */
  readonly hidden: boolean;
  /** The frames at which it is visible, in order. */
  readonly seen: readonly Range<Frames>[];
}

/** The box of the entry at a JSON Pointer, by the planner's rules (C21, C42); null if there is no such entry. */
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
