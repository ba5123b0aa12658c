import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Issue } from '../../errors.ts';
import type { MediaFactsByField } from '../../plan/model/media-facts.ts';
import { type FrameRate, frameRate } from '../../time.ts';
import { itemsIn, itemsOf } from '../document/board-commands.ts';
import {
  completed,
  doStep,
  Gesture,
  type History,
  type Recipe,
  redoStep,
  type Steps,
  startHistory,
  stepsToKeep,
  undoStep,
  withoutLastStep,
} from '../document/history.ts';
import { EMPTY_PROJECT, isBare, type Project } from '../document/project.ts';
import { NO_COURSES, type RevealCourses } from '../document/reveal-course.ts';
import { type EntryRef, NOTHING, type Selection } from '../document/selection.ts';
import { typedStep } from '../kit/typing.ts';
import type { PackedPlan } from './packed-plan.ts';
import { readFlag, remembered } from './remembered.ts';

export type { Recipe };

/** The state that all panels share. Panels read the signals and call the functions below; they do not import each other. */

const history = signal<History>(startHistory(EMPTY_PROJECT));
/** The project during a gesture. */
const shown = signal<Project | null>(null);

/** The row of the table that is shown in place of the template; null: none. */
export const shownRow = signal<Project | null>(null);
/** Whether the table of episodes takes the place of the editor. */
export const tableOpen = signal(false);

/** The project to show, including a gesture in progress. */
export const project: ReadonlySignal<Project> = computed(() => shown.value ?? shownRow.value ?? history.value.project);
/** Parts of the project: a reader of one part is not notified of changes elsewhere. */
export const tierList: ReadonlySignal<Project['tier_list']> = computed(() => project.value.tier_list);
export const timelineData: ReadonlySignal<Project['timeline_data']> = computed(() => project.value.timeline_data);
export const settings: ReadonlySignal<Project['settings']> = computed(() => project.value.settings);
/** What is known of the media files. */
export const mediaShelf: ReadonlySignal<Project['studio']> = computed(() => project.value.studio);

/** The project without a gesture in progress: this is saved and exported. */
export const decided: ReadonlySignal<Project> = computed(() => history.value.project);
/** What is shown without a gesture in progress. */
export const shownAtRest: ReadonlySignal<Project> = computed(() => shownRow.value ?? history.value.project);
/** The project of the running export, as it was sent. The service has its files. */
export const exported = signal<Project | null>(null);
/** The labels of the next undo and redo; null if there is none. */
export const undoLabel = computed(() => history.value.done.at(-1)?.label ?? null);
export const redoLabel = computed(() => history.value.undone.at(-1)?.label ?? null);

/** Whether nothing has been done in the project yet: the page asks what to begin with. */
export const untouched = computed(() => undoLabel.value === null && redoLabel.value === null && isBare(decided.value));

/** Whether the project is read-only because another tab has it open. All functions here then refuse changes. */
export const readOnly = signal(false);

/** Makes one undo step: `edit('Rename row', (draft) => { … })`. All values of a text that is being typed are one step. */
export function edit(label: string, recipe: Recipe): void {
  const typed = typedStep();
  change((before) => {
    if (typed === null) return doStep(before, label, recipe);
    const isGoingOn = typed.last !== undefined && before.done.at(-1) === typed.last;
    const from = isGoingOn ? withoutLastStep(before) : before;
    const after = doStep(from, label, recipe);
    typed.last = after === from ? undefined : after.done.at(-1);
    return after;
  });
}

/** Adds something that the project waited for. It is not a step, so undo does not remove it. */
export function complete(recipe: Recipe): void {
  change((before) => completed(before, recipe));
}

/** Waits until all files of the project are there. @throws the signal's reason. */
export function allCame(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(signal.reason);
    signal.addEventListener('abort', stopped);
    if (signal.aborted) stopped();
    effect(function (this: { dispose(): void }) {
      if (decided.value.studio.coming !== undefined && !signal.aborted) return;
      signal.removeEventListener('abort', stopped);
      resolve();
      this.dispose();
    });
  });
}

type Change = (before: History) => History;

/** What happens to a change that arrives during a gesture, such as an imported file; null if no gesture is running. */
let arrive: ((change: Change) => void) | null = null;

function change(next: Change): void {
  if (readOnly.value) return;
  if (arrive !== null) arrive(next);
  else history.value = next(history.value);
}

/** A drag in progress. It ends once, by `end` or `cancel`; a second call does nothing. */
export interface RunningGesture {
  /** Applies a recipe to the project as it was when the gesture began. Each call replaces the one before. */
  change(label: string, recipe: Recipe): void;
  end(): void;
  cancel(): void;
}

/** @param admits whether changes that arrive meanwhile are shown at once; otherwise they wait until the gesture ends. */
export function beginGesture({ admits = false } = {}): RunningGesture {
  const gesture = new Gesture(history.value);
  let running = !readOnly.value;
  const waiting: Change[] = [];
  if (running) arrive = admits ? admit : (next) => waiting.push(next);
  const finish = (after: History) => {
    if (!running) return;
    running = false;
    arrive = null;
    batch(() => {
      history.value = waiting.reduce((all, next) => next(all), after);
      shown.value = null;
    });
  };
  function admit(next: Change): void {
    const after = next(history.value);
    batch(() => {
      shown.value = gesture.moveTo(after);
      history.value = after;
    });
  }
  return {
    change(label, recipe) {
      if (running) shown.value = gesture.change(label, recipe);
    },
    end: () => finish(gesture.end()),
    cancel: () => finish(gesture.cancel()),
  };
}

export function undo(): void {
  if (shown.value === null && !readOnly.value) history.value = undoStep(history.value);
}

export function redo(): void {
  if (shown.value === null && !readOnly.value) history.value = redoStep(history.value);
}

/** The undo and redo steps to store with the decided project. */
export function keptSteps(): Steps {
  return stepsToKeep(history.peek());
}

/** Opens another project. Undo does not lead back to the one before. */
export function openProject(next: Project, steps?: Steps): void {
  batch(() => {
    history.value = startHistory(next, steps);
    shown.value = shownRow.value = null;
    tableOpen.value = false;
    selection.value = NOTHING;
    playhead.value = 0;
    // Ranking is not finished: continue on the board.
    if (itemsOf(next.tier_list, null).length > 0) face.value = 'board';
  });
}

export const selection = signal<Selection>(NOTHING);

/** What the centre shows; wide windows may show both. */
export const face = signal<'board' | 'preview'>('preview');
/** Whether a wide window shows only the preview. */
export const previewAlone = remembered('tiercut-preview-alone', false, readFlag);

/** The exact output frame rate; the default if the setting is invalid. */
export const rate: ReadonlySignal<FrameRate> = computed(() => {
  const fps = settings.value.fps ?? 30;
  return frameRate(fps >= 1 && fps <= 60 ? fps : 30);
});
/** The output frame that the preview shows, a whole number from 0. */
export const playhead = signal(0);
/** Timeline pixels per second. */
export const zoom = signal(24);
export const playing = signal(false);
/** The frame whose poster is shown until the preview is drawn; null if there is none. */
export const posterAt = signal<number | null>(null);

/** Whether dragged edges snap to others. */
export const snapping = signal(true);

/** The name (not an alias) of the preset that the preview shows. */
export const shownPresetName = signal('preset_one');

/**
 * The result of parsing and planning. `preview/` writes the plan worker's latest result here; everything that shows errors, warnings or
 * times reads it here.
 */
interface Planned {
  /** The project that was planned. The result is current if `planned.value.of === project.value`. */
  readonly of: Project | null;
  /** Whether every format is planned; otherwise some are of earlier projects, or missing. */
  readonly isWhole: boolean;
  /** By preset name; empty if there are errors. */
  readonly plans: ReadonlyMap<string, PackedPlan>;
  /** The courses of all tiles; empty if there are errors. */
  readonly reveals: RevealCourses;
  /** Each at its JSON Pointer: `/timeline_data/videos/0/speed`, `/tier_list/rows/1/color`. */
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

export const planned = signal<Planned>({
  of: null,
  isWhole: false,
  plans: new Map(),
  reveals: NO_COURSES,
  errors: [],
  warnings: [],
});

/** The facts of the media, in the form that the planner takes. */
export const mediaFacts: ReadonlySignal<MediaFactsByField> = computed(() => factsOf(mediaShelf.value));

const factsOf = memoized(({ media, coming }: Project['studio']) => new Map(Object.entries({ ...coming, ...media })));

/** Returns the same result for the same (immutable) value, so that signals do not report changes that are none. */
function memoized<A, B>(make: (value: A) => B): (value: A) => B {
  let last: { readonly value: A; readonly made: B } | null = null;
  return (value) => {
    if (last?.value !== value) last = { value, made: make(value) };
    return last.made;
  };
}

/** Whether the studio shows JSON documents, curl requests, units and encoders. Stored in this browser. */
export const developer = remembered('tiercut-developer', false, readFlag);

/** What the caption editor is open for: the whole video, or one entry to transcribe; null if it is closed. (C77) */
export const captionsOf = signal<{ readonly entry: EntryRef | null } | null>(null);

export function openCaptions(entry: EntryRef | null): void {
  pausesOf.value = null;
  captionsOf.value = { entry };
}

/** The entries whose pauses are being reviewed for removal; null if none. (C78) */
export const pausesOf = signal<readonly EntryRef[] | null>(null);

/** A time range of the video, in seconds. */
export interface RenderedRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges that the service has rendered in advance, shown in the ruler. (C79) */
export const rendered = signal<readonly RenderedRange[]>([]);

/** The item whose name is being edited on its card; null if none. */
export const renaming = signal<string | null>(null);

export function startRenaming(id: string): void {
  if (readOnly.value) return;
  selection.value = { kind: 'items', ids: [id] };
  renaming.value = id;
}

/** The next or previous item in board order; null if there is none. */
export function itemBeside(id: string, by: 1 | -1): string | null {
  const order = [...project.value.tier_list.rows.map((row) => row.id), null].flatMap((row) =>
    itemsIn(project.value, row).map((item) => item.id),
  );
  return order[order.indexOf(id) + by] ?? null;
}
