import { computed, signal } from '@preact/signals';
import type { Frames, Range } from '../../time.ts';
import type { PercentBox } from '../../timeline/export-request.ts';
import type { Preset } from '../../timeline/presets.ts';
import { boxedEntry, clearBox, hasBox, hasOwnPlace, type Scope, scopeOf, setBox } from '../document/place-commands.ts';
import { type EntryRef, sameEntry } from '../document/selection.ts';
import { studioConfig } from '../kit/assets.ts';
import * as texts from '../texts/en/page.ts';
import { edit, playhead, project, selection, shape } from './session.ts';

/** The one entry that is selected, where it is one that stands on the canvas. */
export const boxedRef = computed<EntryRef | null>(() => {
  const chosen = selection.value;
  if (chosen.kind !== 'entries' || chosen.refs.length !== 1) return null;
  const [ref] = chosen.refs;
  return hasBox(ref!) && boxedEntry(project.value, ref!) !== undefined ? ref! : null;
});

/** The shape that is looked at. */
export const lookedAt = computed<Preset>(
  () => studioConfig.presets.find(({ name }) => name === shape.value) ?? studioConfig.presets[0],
);

/** What the planner says of it: the box is filled in wherever the entry says nothing. */
interface KnownPlace {
  readonly ref: EntryRef;
  readonly shape: string;
  readonly box: PercentBox;
  readonly hidden: boolean;
  readonly seen: readonly Range<Frames>[];
}

export const knownPlace = signal<KnownPlace | null>(null);
/** What a hand has made of the box; the planner comes after. */
export const inHand = signal<{ readonly ref: EntryRef; readonly box: PercentBox; readonly over: boolean } | null>(null);

/** Where the selected entry stands in the shape that is looked at; null where that is not known, or it is not there at all. */
export const selectedPlace = computed<{ readonly ref: EntryRef; readonly box: PercentBox } | null>(() => {
  const ref = boxedRef.value;
  if (ref === null) return null;
  const held = inHand.value;
  if (held !== null && sameEntry(held.ref, ref)) return { ref, box: held.box };
  const now = knownPlace.value;
  if (now === null || now.hidden || now.shape !== shape.value || !sameEntry(now.ref, ref)) return null;
  return { ref, box: now.box };
});

/** Whether the selected entry is on the canvas at the frame that is looked at; true as long as nobody knows. */
export const isSeenHere = computed(() => {
  const [now, ref] = [knownPlace.value, boxedRef.value];
  if (now === null || ref === null || now.shape !== shape.value || !sameEntry(now.ref, ref)) return true;
  return now.seen.some(({ start, end }) => start <= playhead.value && playhead.value < end);
});

/** Whether it is said of the selected entry that it is not in the shape that is looked at. */
export const isHiddenHere = computed(() => {
  const [now, ref] = [knownPlace.value, boxedRef.value];
  return now !== null && ref !== null && now.hidden && now.shape === shape.value && sameEntry(now.ref, ref);
});

/** Whom a change of the place is for. (C42) */
export const placeScope = computed<Scope>(() => {
  const entry = boxedRef.value === null ? undefined : boxedEntry(project.value, boxedRef.value);
  return entry === undefined ? 'all' : scopeOf(project.value, entry, lookedAt.value, studioConfig.presets);
});

/** Whether it has a place of its own in the shape that is looked at. */
export const isOwnPlace = computed(() => {
  const entry = boxedRef.value === null ? undefined : boxedEntry(project.value, boxedRef.value);
  return entry !== undefined && hasOwnPlace(entry, lookedAt.value);
});

/** Typed, or by a button: one step. */
export function putBox(box: PercentBox, scope: Scope = placeScope.value): void {
  const ref = boxedRef.value;
  if (ref !== null) edit(texts.changePlace, (draft) => setBox(draft, ref, box, lookedAt.value, scope));
}

/** As if nothing had been said of its place, here or anywhere. */
export function forgetBox(scope: Scope): void {
  const ref = boxedRef.value;
  if (ref !== null) edit(texts.resetPlace, (draft) => clearBox(draft, ref, lookedAt.value, scope));
}
