import { type Draft, enablePatches, freeze, type Patch, produce, produceWithPatches } from 'immer';
import type { Project } from './project.ts';

enablePatches();

/** Changes a draft of the project in place; see immer. */
export type Recipe = (draft: Draft<Project>) => void;

/** One thing a person did, and its opposite. */
interface Step {
  /** What the menu says: "Move Neptune". */
  readonly label: string;
  readonly patches: readonly Patch[];
  readonly inverse: readonly Patch[];
}

/** The way back and forth from a project. */
export interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const NO_STEPS: Steps = { done: [], undone: [] };

/** The project as it is, and the way back and forth. A value: every function here returns another one. */
export interface History extends Steps {
  readonly project: Project;
}

/** As many steps as anybody goes back; each is as large as what it changed. */
const MOST_STEPS = 500;

/** Nothing of it can be changed from now on. Immer sees to that with the first step, else: while somebody drags. */
export function startHistory(project: Project, steps: Steps = NO_STEPS): History {
  const { done, undone } = freeze(steps, true);
  return { project: freeze(project, true), done, undone };
}

/** Steps that are kept with a project for after a reload, in either direction. */
const MOST_KEPT_STEPS = 200;
/** Values in all kept steps, those of the project itself counted as one each: every save copies them. */
const MOST_KEPT_VALUES = 100_000;

/** As many of the steps next to the project as may be kept. */
export function stepsToKeep({ project, done, undone }: History): Steps {
  const seen = new Set<unknown>();
  const weigh = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 1;
    seen.add(value);
    return Object.values(value).reduce((sum: number, inner) => sum + weigh(inner), 1);
  };
  weigh(project);
  let left = MOST_KEPT_VALUES;
  const nearest = (steps: readonly Step[]): readonly Step[] => {
    let from = steps.length;
    while (from > 0 && steps.length - from < MOST_KEPT_STEPS) {
      left -= weigh(steps[from - 1]);
      if (left < 0) break;
      from -= 1;
    }
    return steps.slice(from);
  };
  return { done: nearest(done), undone: nearest(undone) };
}

/** The files that steps would bring back. */
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

/**
 * The project after patches. Immer's own way copies whatever they hold, to the last entry of a lane of thousands; here it is taken as it
 * is, since nobody can change it: so undo gives back the very parts there were, and nothing else is looked at anew.
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
