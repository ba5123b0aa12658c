import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Issue } from '../../errors.ts';
import type { MediaFactsByField } from '../../plan/media-facts.ts';
import { type FrameRate, frameRate } from '../../time.ts';
import { itemsOf } from '../document/board-commands.ts';
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
} from '../document/history.ts';
import { EMPTY_PROJECT, type Project } from '../document/project.ts';
import { NOTHING, type Selection } from '../document/selection.ts';
import { NO_COURSES, type RevealCourses } from '../document/timeline/reveal-course.ts';
import type { PackedPlan } from './packed-plan.ts';
import { readFlag, remembered } from './remembered.ts';

export type { Recipe };

/** What every panel shares. Panels read signals and call the functions below; none of them knows another. */

const history = signal<History>(startHistory(EMPTY_PROJECT));
/** While a gesture lasts, what it would be. */
const shown = signal<Project | null>(null);

/** The project as it is to be seen, gestures under way included. */
export const project: ReadonlySignal<Project> = computed(() => shown.value ?? history.value.project);
/** Its parts: who reads one of them hears nothing of changes elsewhere. */
export const tierList: ReadonlySignal<Project['tier_list']> = computed(() => project.value.tier_list);
export const timelineData: ReadonlySignal<Project['timeline_data']> = computed(() => project.value.timeline_data);
export const settings: ReadonlySignal<Project['settings']> = computed(() => project.value.settings);
/** What is known of the files. */
export const mediaShelf: ReadonlySignal<Project['studio']> = computed(() => project.value.studio);

/** The project as far as it is decided: what is saved and exported. */
export const decided: ReadonlySignal<Project> = computed(() => history.value.project);
/** What is being made a video of, as it was when it was sent off: its files are with the service. */
export const exported = signal<Project | null>(null);
/** The label of what undo and redo would do; null: nothing. */
export const undoLabel = computed(() => history.value.done.at(-1)?.label ?? null);
export const redoLabel = computed(() => history.value.undone.at(-1)?.label ?? null);

/** Whether the project may only be looked at: another tab has it. Changes are refused, by everything here. */
export const readOnly = signal(false);

/** One step: `edit('Rename row', (draft) => { … })`. */
export function edit(label: string, recipe: Recipe): void {
  change((before) => doStep(before, label, recipe));
}

/** What the project waited for has come: no step, and so undone by nothing. */
export function complete(recipe: Recipe): void {
  change((before) => completed(before, recipe));
}

/** Until all files of the project are there. @throws the signal's reason. */
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

/** Whether a gesture is under way, and the changes that came meanwhile: files that arrive while something is dragged. */
let inGesture = false;
let waiting: ((before: History) => History)[] = [];

function change(next: (before: History) => History): void {
  if (readOnly.value) return;
  if (inGesture) waiting.push(next);
  else history.value = next(history.value);
}

/** A drag in progress. Ends once, by `end` or `cancel`; a second call does nothing. */
export interface RunningGesture {
  /** Applied to the project as it was when the gesture began; each call replaces the one before. */
  change(label: string, recipe: Recipe): void;
  end(): void;
  cancel(): void;
}

export function beginGesture(): RunningGesture {
  const gesture = new Gesture(history.value);
  let running = !readOnly.value;
  inGesture = running;
  const finish = (after: History) => {
    if (!running) return;
    running = false;
    inGesture = false;
    batch(() => {
      history.value = waiting.reduce((all, next) => next(all), after);
      waiting = [];
      shown.value = null;
    });
  };
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

/** What is kept of undo and redo, of the project as it is decided. */
export function keptSteps(): Steps {
  return stepsToKeep(history.peek());
}

/** Another project, with no way back into the one before. */
export function openProject(next: Project, steps?: Steps): void {
  batch(() => {
    history.value = startHistory(next, steps);
    shown.value = null;
    selection.value = NOTHING;
    playhead.value = 0;
    // Half ranked, it goes on where it was left.
    if (itemsOf(next.tier_list, null).length > 0) face.value = 'board';
  });
}

export const selection = signal<Selection>(NOTHING);

/** Which of the two faces of the centre is seen; wide screens may show both. */
export const face = signal<'board' | 'preview'>('preview');
/** Whether a wide window shows the preview without the board beside it. */
export const previewAlone = remembered('tiercut-preview-alone', false, readFlag);

/** The output's frame rate, exact; of a rate that cannot be, the default's. */
export const rate: ReadonlySignal<FrameRate> = computed(() => {
  const fps = settings.value.fps ?? 30;
  return frameRate(fps >= 1 && fps <= 60 ? fps : 30);
});
/** The output frame that is looked at: a whole number, from 0 on. */
export const playhead = signal(0);
/** Pixels of the timeline that a second takes. */
export const zoom = signal(24);
export const playing = signal(false);
/** The frame whose poster stands in the place of the preview until that is drawn; null: there is none. */
export const posterAt = signal<number | null>(null);

/** Whether edges and middles hold what is dragged near them. */
export const snapping = signal(true);

/** The name (not an alias) of the preset whose shape is shown. */
export const shape = signal('preset_one');

/**
 * What parsing and planning said of a project. The plan worker's result arrives here, from `preview/`; whoever shows errors,
 * warnings or times reads it here. The latest wins.
 */
interface Planned {
  /** The project it is of: `planned.value.of === project.value` where it is the newest. */
  readonly of: Project | null;
  /** By preset name; empty where there are errors. */
  readonly plans: ReadonlyMap<string, PackedPlan>;
  /** What becomes of every tile; none where there are errors. */
  readonly reveals: RevealCourses;
  /** Each at its JSON Pointer: `/timeline_data/videos/0/speed`, `/tier_list/rows/1/color`. */
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
}

export const planned = signal<Planned>({ of: null, plans: new Map(), reveals: NO_COURSES, errors: [], warnings: [] });

/** What is known of the media, as the planner wants it. */
export const mediaFacts: ReadonlySignal<MediaFactsByField> = computed(() => factsOf(mediaShelf.value));

const factsOf = memoized(({ media, coming }: Project['studio']) => new Map(Object.entries({ ...coming, ...media })));

/** The same answer for the same (immutable) value: keeps signals from telling of changes that are none. */
function memoized<A, B>(make: (value: A) => B): (value: A) => B {
  let last: { readonly value: A; readonly made: B } | null = null;
  return (value) => {
    if (last?.value !== value) last = { value, made: make(value) };
    return last.made;
  };
}
