import { computed, effect, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { type Frames, secondsOf } from '../../time.ts';
import { type EntryIndex, entryAt, frameSlot, sameRef } from '../document/entries.ts';
import { LANE_LOOKS } from '../document/lane-looks.ts';
import { NOTHING } from '../document/selection.ts';
import { runKey } from '../keys/keys.ts';
import { openMenu } from '../kit/open-menu.ts';
import { reveals, timeRules } from '../session/edit-timeline.ts';
import { selection, timelineData } from '../session/session.ts';
import { seek } from '../session/transport.ts';
import * as texts from '../texts/en/timeline.ts';
import { keepInSight, nudge } from './act/timeline-actions.ts';
import {
  boxOf,
  entryRefOf,
  focusedEntry,
  isDragging,
  isSelected,
  revealedItem,
  scrollTop,
  select,
  selectAll,
  selectedRefs,
  timelineLayout,
} from './act/timeline-model.ts';
import { timeLabel } from './view/time-scale.ts';
import { RULER_PX } from './view/timeline-layout.ts';

/** Entries in the list at a time, around the current one: a list of thousands would slow down every edit. */
const AROUND = 15;

/** The current entry of the keyboard, as a position in the list. */
const at = signal(0);
const isFocused = signal(false);

const count = computed(() => timelineLayout.value.boxes.reduce((sum, { line }) => sum + line.placed.length, 0));

/** The entry at a position, counted line by line from the top, each by time. Computed, since there may be thousands. */
function refAt(place: number): EntryIndex | null {
  let left = Math.max(0, place);
  for (const { line } of timelineLayout.value.boxes) {
    if (left < line.placed.length) return { lane: line.lane, index: line.placed[left]!.index };
    left -= line.placed.length;
  }
  return null;
}

/** The position of the first selected entry; null if there is none. */
function placeOfSelected(): number | null {
  let before = 0;
  for (const { line } of timelineLayout.value.boxes) {
    const chosen = selectedRefs.value.filter(({ lane }) => lane === line.lane).map(({ index }) => index);
    const found = chosen.length === 0 ? -1 : line.placed.findIndex(({ index }) => chosen.includes(index));
    if (found !== -1) return before + found;
    before += line.placed.length;
  }
  return null;
}

effect(() => {
  focusedEntry.value = isFocused.value ? refAt(at.value) : null;
});

/** The content of the canvas as a list, for screen readers and keyboards. A drag ends before anyone reads it. */
export function EntryList() {
  const before = useRef<VNode | null>(null);
  if (!isDragging.value || before.current === null) before.current = list();
  return before.current;
}

function list(): VNode {
  const all = count.value;
  const current = Math.min(at.value, Math.max(0, all - 1));
  const from = Math.max(0, current - AROUND);
  const places = Array.from({ length: Math.min(all, current + AROUND + 1) - from }, (_, i) => from + i);
  return (
    <div
      class="tl-list"
      role="listbox"
      aria-label={texts.entries}
      aria-multiselectable="true"
      aria-activedescendant={all > 0 ? optionId(current) : undefined}
      tabIndex={0}
      onFocus={() => {
        isFocused.value = true;
        at.value = placeOfSelected() ?? at.value;
      }}
      onBlur={() => {
        isFocused.value = false;
      }}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
    >
      {places.map((place) => {
        const ref = refAt(place)!;
        return (
          <div
            key={`${ref.lane} ${entryRefOf(ref).id}`}
            id={optionId(place)}
            role="option"
            tabIndex={-1}
            aria-selected={selectedRefs.value.some((other) => sameRef(other, ref))}
            aria-setsize={all}
            aria-posinset={place + 1}
          >
            {describe(ref)}
          </div>
        );
      })}
    </div>
  );
}

function optionId(place: number): string {
  return `tl-entry-${place}`;
}

/** "Clip host.mp4, 0:05 to 0:46". */
function describe(ref: EntryIndex): string {
  const entry = entryAt(timelineData.value, ref)!;
  const { start, end } = frameSlot(entry, timeRules.value);
  const { rate } = timeRules.value;
  const time = (frame: number) => timeLabel(secondsOf(frame as Frames, rate), true);
  if (ref.lane === 'tier_tiles') {
    const { item, row } = revealedItem(entry);
    const course = reveals.value.courses.byTile.get(entry.id!);
    const words = entry.to_row === undefined ? texts.reveal : texts.move;
    const reveal = words(item?.name ?? entry.tier_item_id!, row?.label ?? texts.noRow, time(start));
    return course?.style === 'spotlight' ? texts.withVerdict(reveal, time(start + course.verdict)) : reveal;
  }
  const { label } = LANE_LOOKS[ref.lane];
  const kind = label[0]!.toUpperCase() + label.slice(1);
  return texts.entry(kind, entry.text ?? entry.file_field, time(start), time(end));
}

/** Shift+F10 or the menu key: opens the menu at the current entry. */
function onContextMenu(event: MouseEvent): void {
  const ref = refAt(at.value);
  if (ref === null) return;
  event.preventDefault();
  if (!isSelected(ref)) select([ref]);
  const canvas = document.querySelector('.tl-canvas')!.getBoundingClientRect();
  const box = boxOf(ref);
  openMenu(
    { kind: 'entries' },
    { x: canvas.left + (box?.x ?? 0) + 8, y: canvas.top + RULER_PX + (box?.y ?? 0) - scrollTop.value + 8 },
  );
}

function onKeyDown(event: KeyboardEvent): void {
  const all = count.value;
  // Keys act on the selection, so the current entry is selected; with Shift it is added.
  const go = (to: number, add = false): void => {
    at.value = Math.min(Math.max(0, to), all - 1);
    const ref = refAt(at.value);
    if (ref === null) return;
    if (!add || !isSelected(ref)) select([ref], add);
    keepInSight(frameSlot(entryAt(timelineData.value, ref)!, timeRules.value).start);
  };
  const current = refAt(at.value);
  const second = Math.round(timeRules.value.rate.num / timeRules.value.rate.den);
  runKey(event, {
    arrowdown: () => go(at.value + 1),
    arrowup: () => go(at.value - 1),
    'shift+arrowdown': () => go(at.value + 1, true),
    'shift+arrowup': () => go(at.value - 1, true),
    escape: () => {
      selection.value = NOTHING;
    },
    'ctrl+a': selectAll,
    home: () => go(0),
    end: () => go(all - 1),
    enter: () => {
      if (current === null) return;
      select([current]);
      seek(frameSlot(entryAt(timelineData.value, current)!, timeRules.value).start);
    },
    'ctrl+enter': () => current !== null && select([current], true),
    space: () => current !== null && select([current]),
    'alt+arrowleft': () => nudge(-1),
    'alt+arrowright': () => nudge(1),
    'alt+shift+arrowleft': () => nudge(-second),
    'alt+shift+arrowright': () => nudge(second),
  });
}
