import { ExportError, type Issue } from '../../../errors.ts';
import { paintedLayer } from '../../../plan/frame/painted-kinds.ts';
import type { LayerRef, RenderPlan } from '../../../plan/model/render-plan.ts';
import { EntryPlaces } from '../../../plan/place/entry-places.ts';
import { placeTiles } from '../../../plan/place/place-tiles.ts';
import { planVideo } from '../../../plan/plan-render.ts';
import { planOfRunningTake, type RunningTake } from '../../../plan/running-take.ts';
import { type Frames, frameAt, type Range } from '../../../time.ts';
import type { PercentBox } from '../../../timeline/default-looks.ts';
import type { ExportRequest } from '../../../timeline/export-request.ts';
import { IssueList } from '../../../timeline/issue-list.ts';
import type { TimelineLimits } from '../../../timeline/limits.ts';
import type { KnownEntries } from '../../../timeline/parse/parse-context.ts';
import { parseRequest } from '../../../timeline/parse/parse-request.ts';
import type { Presets } from '../../../timeline/presets.ts';
import { NO_COURSES, type RevealCourse, type RevealCourses } from '../../document/reveal-course.ts';
import type { PlannedFrom } from '../../document/template.ts';

/** An order to the plan worker. */
export interface PlanOrder extends PlannedFrom {
  readonly presets: Presets;
  readonly limits: TimelineLimits;
  /** Entries that earlier orders have validated. */
  readonly known?: KnownEntries;
  /** Set while a take runs. */
  readonly running?: RunningTake;
  /** Names of presets, the shown one first. */
  readonly presetNames: readonly string[];
}

/** The result: plans by preset name, or all errors. */
export interface PlanOutcome {
  readonly plans: ReadonlyMap<string, RenderPlan>;
  readonly reveals: RevealCourses;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/**
 * Parses and plans with the code of the service, so that the page reports what an export would. Yields after each preset.
 *
 * @param understood receives the parsed request before it is planned.
 */
export function* planDocuments(
  order: PlanOrder,
  understood: (request: ExportRequest) => void = () => {},
): Generator<PlanOutcome> {
  const { documents, facts, subtitleTexts, presets, limits, known } = order;
  const plans = new Map<string, RenderPlan>();
  const warnings = new Map<string, Issue>();
  try {
    const uploads = new Set(facts.keys());
    const request = parseRequest(documents, { limits, presets, uploads, subtitleTexts, ...(known && { known }) });
    understood(request);
    const reveals = revealCourses(request);
    for (const name of order.presetNames) {
      const plan = planPreset(request, name, order);
      plans.set(name, plan);
      for (const issue of plan.warnings) warnings.set(JSON.stringify(issue), issue);
      yield { plans, reveals, errors: [], warnings: [...warnings.values()] };
    }
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    const { path = '', code, message } = error;
    yield {
      plans: new Map(),
      reveals: NO_COURSES,
      errors: error.issues.length > 0 ? error.issues : [{ path, code, message }],
      warnings: [...warnings.values()],
    };
  }
}

function planPreset(request: ExportRequest, name: string, order: PlanOrder): RenderPlan {
  const { facts, presets, limits, running } = order;
  const preset = presets.find((candidate) => candidate.name === name)!;
  const plan = planVideo(request, { facts, preset, limits });
  return running === undefined ? plan : planOfRunningTake(plan, running, request);
}

/** When each tile enters, gets its verdict and lands. It is the same in all presets, so it is computed once. (R26) */
function revealCourses(request: ExportRequest): RevealCourses {
  const { rate } = request.settings;
  // The plan reports the warnings.
  const placed = placeTiles({ request, rate, issues: new IssueList() });
  const byTile = new Map(
    placed.map(({ tile, cue, event }): [string, RevealCourse] => {
      const own = frameAt(tile.position, rate);
      // A card without enough time may pop in at its verdict, which is not the start of its spotlight.
      const starts = event.style === 'spotlight' ? event.at - own : 0;
      const course = {
        style: event.style,
        starts,
        verdict: event.verdict - own,
        takeOff: event.takeOff - own,
        lands: event.lands - own,
        asked: cue.hold && Math.max(starts + cue.hold.length, (cue.hold.stampAt ?? own) - own),
      };
      return [tile.id, course];
    }),
  );
  return { byTile, longest: [...byTile.values()].reduce((longest, { lands }) => Math.max(longest, lands), 0) };
}

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
