import { effect } from '@preact/signals';
import { boxedEntry } from '../../document/place-commands.ts';
import { entryPath } from '../../document/selection-at.ts';
import { boxedRef, inHand, knownPlace } from '../../session/selected-place.ts';
import { planned, project, shownPresetName } from '../../session/session.ts';
import { askPlace, whenPlaced } from '../plan/planning.ts';

/** Asks the planner for the box whenever the selection, preset or plan changes. */
export function watchPlaces(): void {
  effect(() => {
    const ref = boxedRef.value;
    const { of } = planned.value;
    if (ref === null || of === null || boxedEntry(of, ref) === undefined) return;
    askPlace({ path: entryPath(of, ref.lane, ref.id), preset: shownPresetName.value });
  });
  whenPlaced(({ question, place }) => {
    const { of } = planned.peek();
    const ref = boxedRef.peek();
    if (ref === null || of === null || entryPath(of, ref.lane, ref.id) !== question.path) return;
    knownPlace.value = place && { ref, preset: question.preset, ...place };
    if (inHand.peek()?.over === true && of === project.peek()) inHand.value = null;
  });
}
