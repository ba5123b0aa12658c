import { type Draft, enablePatches, freeze, type Patch, produce, produceWithPatches } from 'immer';
import type { Project } from './project.ts';
import { settleTemplate } from './settle-template.ts';

enablePatches();

/** Changes a draft of the project in place; see immer. */
export type Recipe = (draft: Draft<Project>) => void;

/** One action of the user, and its inverse. */
interface Step {
  /** The label in the menu: "Move Neptune". */
  readonly label: string;
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
}

/** The undo and redo steps of a project. */
export interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const NO_STEPS: Steps = { done: [], undone: [] };

/** The project with its undo and redo steps. Immutable: every function here returns a new one. */
export interface History extends Steps {
  readonly project: Project;
}

/** Enough for any user. Each step is as large as what it changed. */
const MAX_STEPS = 500;

/** Freezes the project now. Otherwise immer would do it with the first step, during a drag. */
export function startHistory(project: Project, steps: Steps = NO_STEPS): History {
  const { done, undone } = freeze(steps, true);
  return { project: freeze(project, true), done, undone };
}

/** Steps that are stored with a project for a reload, in each direction. */
const MAX_KEPT_STEPS = 200;
/** Values in all stored steps; parts shared with the project count as one. Every save copies them. */
const MAX_KEPT_VALUES = 100_000;

/** The steps to store, nearest to the current project first, within the limits. */
export function stepsToKeep({ project, done, undone }: History): Steps {
  const seen = new Set<unknown>();
  const weigh = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 1;
    seen.add(value);
    return Object.values(value).reduce((sum: number, inner) => sum + weigh(inner), 1);
  };
  weigh(project);
  let left = MAX_KEPT_VALUES;
  const nearest = (steps: readonly Step[]): readonly Step[] => {
    let from = steps.length;
    while (from > 0 && steps.length - from < MAX_KEPT_STEPS) {
      left -= weigh(steps[from - 1]);
      if (left < 0) break;
      from -= 1;
    }
    return steps.slice(from);
  };
  return { done: nearest(done), undone: nearest(undone) };
}

/** The hashes of files that undo or redo could bring back. */
export function hashesIn({ done, undone }: Steps): string[] {
  const hashes: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('hash' in value && typeof value.hash === 'string') hashes.push(value.hash);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk([done, undone]);
  return hashes;
}

/** The fields of a template follow every change. */
function settling(recipe: Recipe): Recipe {
  return (draft) => {
    recipe(draft);
    settleTemplate(draft);
  };
}

/** Applies a recipe as a step. Makes no step if nothing changes. */
export function doStep(history: History, label: string, recipe: Recipe): History {
  const [project, patches, inverse] = produceWithPatches(history.project, settling(recipe));
  return patches.length === 0 ? history : taken(history, project, { label, patches, inverse });
}

/** Applies a recipe without a step, for something that the project waited for: undo does not revert it. */
export function completed(history: History, recipe: Recipe): History {
  return { ...history, project: produce(history.project, settling(recipe)) };
}

export function undoStep({ project, done, undone }: History): History {
  const step = done.at(-1);
  if (step === undefined) return { project, done, undone };
  return {
    project: patched(project, step.inverse),
    done: done.slice(0, -1),
    undone: [...undone, step],
  };
}

export function redoStep({ project, done, undone }: History): History {
  const step = undone.at(-1);
  if (step === undefined) return { project, done, undone };
  return {
    project: patched(project, step.patches),
    done: [...done, step],
    undone: undone.slice(0, -1),
  };
}

/** The history before its last step, which then never happened. */
export function withoutLastStep(history: History): History {
  const { project, done } = undoStep(history);
  return { project, done, undone: [] };
}

/**
 * A drag: many intermediate projects, one step in the end. Each recipe is applied to the project as it was when the gesture began. So
 * the result depends on the pointer's position and not on its path.
 */
export class Gesture {
  #before: History;
  #after: History;
  #last: { readonly label: string; readonly recipe: Recipe } | null = null;

  constructor(before: History) {
    this.#before = before;
    this.#after = before;
  }

  /** @returns the project to show during the gesture. */
  change(label: string, recipe: Recipe): Project {
    this.#last = { label, recipe };
    this.#after = doStep(this.#before, label, recipe);
    return this.#after.project;
  }

  /** Applies the last change to another history. @returns the project to show. */
  moveTo(before: History): Project {
    this.#before = before;
    this.#after = this.#last === null ? before : doStep(before, this.#last.label, this.#last.recipe);
    return this.#after.project;
  }

  /** Keeps the last change as one step. */
  end(): History {
    return this.#after;
  }

  /** Discards the changes. */
  cancel(): History {
    return this.#before;
  }
}

function taken({ done }: History, project: Project, step: Step): History {
  return { project, done: [...done, step].slice(-MAX_STEPS), undone: [] };
}

/**
 * The project after patches. Immer's own function deep-copies their values, which can be a lane of thousands of entries. Here they are
 * used as they are, since they are frozen. So undo restores the identical objects, and nothing else is recomputed.
 */
function patched(project: Project, patches: readonly Patch[]): Project {
  return produce(project, (draft) => {
    for (const { op, path, value } of patches) {
      const key = path.at(-1)!;
      // biome-ignore lint/suspicious/noExplicitAny: paths lead through whatever there is.
      const parent = path.slice(0, -1).reduce((inner: any, step) => inner[step], draft);
      if (op === 'replace' || !Array.isArray(parent)) {
        if (op === 'remove') delete parent[key];
        else parent[key] = value;
      } else if (op === 'add') parent.splice(Number(key), 0, value);
      else parent.splice(Number(key), 1);
    }
  });
}
