import { computed, signal } from '@preact/signals';
import type { Frames, Range } from '../../time.ts';
import type { PercentBox } from '../../timeline/default-looks.ts';
import { boxedEntry, clearBox, hasBox, hasOwnPlace, type Scope, scopeOf, setBox } from '../document/place-commands.ts';
import { type EntryRef, sameEntry } from '../document/selection.ts';
import { studioConfig } from '../kit/assets.ts';
import * as texts from '../texts/en/page.ts';
import { edit, playhead, project, selection, shownPresetName } from './session.ts';
import { shownPreset } from './shown-preset.ts';

/** The selected entry, if it is the only one and has a box. */
export const boxedRef = computed<EntryRef | null>(() => {
  const chosen = selection.value;
  if (chosen.kind !== 'entries' || chosen.refs.length !== 1) return null;
  const [ref] = chosen.refs;
  return hasBox(ref!) && boxedEntry(project.value, ref!) !== undefined ? ref! : null;
});

/** The planner's result for the entry: its box has the defaults filled in. */
interface KnownPlace {
  readonly ref: EntryRef;
  readonly preset: string;
  readonly box: PercentBox;
  readonly hidden: boolean;
  readonly seen: readonly Range<Frames>[];
}

export const knownPlace = signal<KnownPlace | null>(null);
/** The box during a drag, before the planner has seen it. */
export const inHand = signal<{ readonly ref: EntryRef; readonly box: PercentBox; readonly over: boolean } | null>(null);

/** The box of the selected entry in the shown preset; null if it is not known or the entry is hidden there. */
export const selectedPlace = computed<{ readonly ref: EntryRef; readonly box: PercentBox } | null>(() => {
  const ref = boxedRef.value;
  if (ref === null) return null;
  const held = inHand.value;
  if (held !== null && sameEntry(held.ref, ref)) return { ref, box: held.box };
  const now = knownPlace.value;
  if (now === null || now.hidden || now.preset !== shownPresetName.value || !sameEntry(now.ref, ref)) return null;
  return { ref, box: now.box };
});

/** Whether the selected entry is on the canvas at the playhead; true while unknown. */
export const isSeenHere = computed(() => {
  const [now, ref] = [knownPlace.value, boxedRef.value];
  if (now === null || ref === null || now.preset !== shownPresetName.value || !sameEntry(now.ref, ref)) return true;
  return now.seen.some(({ start, end }) => start <= playhead.value && playhead.value < end);
});

/** Whether the selected entry is hidden in the shown preset. */
export const isHiddenHere = computed(() => {
  const [now, ref] = [knownPlace.value, boxedRef.value];
  return now !== null && ref !== null && now.hidden && now.preset === shownPresetName.value && sameEntry(now.ref, ref);
});

/** The presets that a change of the box applies to. (C42) */
export const placeScope = computed<Scope>(() => {
  const entry = boxedRef.value === null ? undefined : boxedEntry(project.value, boxedRef.value);
  return entry === undefined ? 'all' : scopeOf(project.value, entry, shownPreset.value, studioConfig.presets);
});

/** Whether the entry has its own box in the shown preset. */
export const isOwnPlace = computed(() => {
  const entry = boxedRef.value === null ? undefined : boxedEntry(project.value, boxedRef.value);
  return entry !== undefined && hasOwnPlace(entry, shownPreset.value);
});

/** Sets the box in one step, for typed values and buttons. */
export function putBox(box: PercentBox, scope: Scope = placeScope.value): void {
  const ref = boxedRef.value;
  if (ref !== null) edit(texts.changePlace, (draft) => setBox(draft, ref, box, shownPreset.value, scope));
}

/** Removes the box in a scope, so that the default applies there. */
export function forgetBox(scope: Scope): void {
  const ref = boxedRef.value;
  if (ref !== null) edit(texts.resetPlace, (draft) => clearBox(draft, ref, shownPreset.value, scope));
}
