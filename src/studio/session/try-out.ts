import { useEffect } from 'preact/hooks';
import type { Recipe } from '../document/history.ts';
import { beginGesture, type RunningGesture, readOnly } from './session.ts';

let trying: RunningGesture | null = null;

/** Shows a change that the pointer is on; null ends it. Nothing is changed or saved. */
function tryOut(recipe: Recipe | null): void {
  trying?.cancel();
  trying = null;
  if (recipe === null || readOnly.value) return;
  trying = beginGesture({ admits: true });
  trying.change('', recipe);
}

/** For choices that are shown while the pointer is on them. The last one ends with its component. */
export function useTryOut(): typeof tryOut {
  useEffect(() => () => tryOut(null), []);
  return tryOut;
}
