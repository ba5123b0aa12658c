import { signal } from '@preact/signals';
import { type Selection, sameEntry, selectedEntries, withEntries } from '../../document/selection.ts';
import type { Point } from '../../kit/drag-session.ts';
import { reveals, timeRules } from '../../session/edit-timeline.ts';
import { selection, zoom } from '../../session/session.ts';
import { secondsAt } from '../view/time-scale.ts';
import { entriesWithin, type Marquee, RULER_PX } from '../view/timeline-layout.ts';
import { entryRefOf, scale, scrollTop, selectNamed, timelineLayout } from './timeline-model.ts';

/** The selection rectangle. */
export const marquee = signal<Marquee | null>(null);

/** Draws a selection rectangle. Entries that it touches are selected; `adds` keeps the current selection. */
export function marqueeDrag(begin: Point, adds: boolean) {
  const from = placeOf(begin);
  let before: Selection | null = null;
  return {
    move(to: Point): void {
      before ??= selection.value;
      const end = placeOf(to);
      const drawn = {
        time: { start: Math.min(from.seconds, end.seconds), end: Math.max(from.seconds, end.seconds) },
        down: { start: Math.min(from.down, end.down), end: Math.max(from.down, end.down) },
      };
      marquee.value = drawn;
      const within = entriesWithin(timelineLayout.value, drawn, zoom.value, timeRules.value, reveals.value);
      const named = within.map((ref) => entryRefOf(ref));
      const refs = adds ? withEntries(selectedEntries(before), named) : named;
      const now = selectedEntries(selection.value);
      if (refs.length !== now.length || refs.some((ref, i) => !sameEntry(ref, now[i]!))) selectNamed(refs);
    },
    end(keep: boolean): void {
      marquee.value = null;
      if (!keep && before !== null) selection.value = before;
    },
  };
}

function placeOf({ x, y }: Point) {
  return { seconds: secondsAt(x, scale.value), down: y - RULER_PX + scrollTop.value };
}
