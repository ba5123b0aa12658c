import { applyPatches, type Draft, enablePatches, type Patch, produce, produceWithPatches } from 'immer';
import type { Project } from './project.ts';

enablePatches();

/** Changes a draft of the project in place; see immer. */
export type Recipe = (draft: Draft<Project>) => void;

/** One thing a person did, and its opposite. */
export interface Step {
  /** What the menu says: "Move Neptune". */
  readonly label: string;
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
}

/** The project as it is, and the way back and forth. A value: every function here returns another one. */
export interface History {
  readonly project: Project;
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** As many steps as anybody goes back; each is as large as what it changed. */
const MOST_STEPS = 500;

export function startHistory(project: Project): History {
  return { project, done: [], undone: [] };
}

/** Does it; where it changes nothing, there is nothing to undo either. */
export function doStep(history: History, label: string, recipe: Recipe): History {
  const [project, patches, inverse] = produceWithPatches(history.project, recipe);
  return patches.length === 0 ? history : taken(history, project, { label, patches, inverse });
}

/** What nobody did and nobody undoes: something the project waited for has come. */
export function completed(history: History, recipe: Recipe): History {
  return { ...history, project: produce(history.project, recipe) };
}

export function undoStep({ project, done, undone }: History): History {
  const step = done.at(-1);
  if (step === undefined) return { project, done, undone };
  return {
    project: applyPatches(project, [...step.inverse]),
    done: done.slice(0, -1),
    undone: [...undone, step],
  };
}

export function redoStep({ project, done, undone }: History): History {
  const step = undone.at(-1);
  if (step === undefined) return { project, done, undone };
  return {
    project: applyPatches(project, [...step.patches]),
    done: [...done, step],
    undone: undone.slice(0, -1),
  };
}

/**
 * A drag: any number of changes to be seen, one step in the end.
 *
 * Each recipe is applied to the project as it was when the gesture began, so a drag is a function of where the pointer is
 * and not of the way it took.
 */
export class Gesture {
  readonly #before: History;
  #after: History;

  constructor(before: History) {
    this.#before = before;
    this.#after = before;
  }

  /** @returns the project to show meanwhile. */
  change(label: string, recipe: Recipe): Project {
    this.#after = doStep(this.#before, label, recipe);
    return this.#after.project;
  }

  /** Kept, as one step. */
  end(): History {
    return this.#after;
  }

  /** As if it had never been. */
  cancel(): History {
    return this.#before;
  }
}

function taken({ done }: History, project: Project, step: Step): History {
  return { project, done: [...done, step].slice(-MOST_STEPS), undone: [] };
}
