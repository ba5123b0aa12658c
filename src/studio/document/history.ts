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

/** The project as it is, and the way back and forth. A value: every function here returns another one. */
export interface History {
  readonly project: Project;
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

/** As many steps as anybody goes back; each is as large as what it changed. */
const MOST_STEPS = 500;

/** Nothing of it can be changed from now on. Immer sees to that with the first step, else: while somebody drags. */
export function startHistory(project: Project): History {
  return { project: freeze(project, true), done: [], undone: [] };
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
