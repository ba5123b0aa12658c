import { effect, signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { PAINTED, paintedLayer } from '../../plan/frame/painted-kinds.ts';
import { type Rect, shapeOf } from '../../plan/model/canvas.ts';
import type { LayerRef, RenderPlan } from '../../plan/model/render-plan.ts';
import { BLOCK_BOX, type PercentBox } from '../../timeline/default-looks.ts';
import { boxedEntry, setBox } from '../document/place-commands.ts';
import { mediaOf, type Project } from '../document/project.ts';
import {
  type EntryRef,
  entryPath,
  NOTHING,
  type Selection,
  sameEntry,
  selectedEntries,
  selectionAt,
} from '../document/selection.ts';
import { keyName } from '../keys/keys.ts';
import { type Point, startDrag } from '../kit/drag-session.ts';
import { opensMenu } from '../kit/open-menu.ts';
import { formatName } from '../kit/shown-values.ts';
import { unpacked } from '../session/packed-plan.ts';
import { boxedRef, inHand, isSeenHere, knownPlace, placeScope, selectedPlace } from '../session/selected-place.ts';
import {
  beginGesture,
  planned,
  playhead,
  playing,
  project,
  readOnly,
  selection,
  shownPresetName,
  snapping,
  tableOpen,
} from '../session/session.ts';
import { shownPreset } from '../session/shown-preset.ts';
import * as texts from '../texts/en/late.ts';
import * as page from '../texts/en/page.ts';
import { type DraggedBox, dragBox, type Grip, type Guides } from './drag-box.ts';
import { askPlace, whenPlaced } from './plan/plan-client.ts';

const GRIPS: readonly Grip[] = ['nw', 'n', 'ne', 'e', 's', 'sw', 'w'];
let isWatching = false;

/** The layer over the picture. A click selects an entry, and the selected entry has a box to move and resize. (C42) */
export function BoxHandles({ frame }: { readonly frame: { readonly current: HTMLElement | null } }) {
  useEffect(() => {
    if (isWatching) return;
    isWatching = true;
    watchPlaces();
  }, []);
  const place = selectedPlace.value;
  // Beside the table the preview shows a row, not what could be moved.
  const isSeen = !playing.value && !readOnly.value && !tableOpen.value;
  return (
    <>
      <div
        class="bx-pick"
        onPointerDown={(event) => isSeen && pickAt(event, frame.current!)}
        onContextMenu={(event) => {
          if (tableOpen.value) return;
          const under = isSeen ? entryUnder(event, frame.current!) : null;
          if (under) selectEntry(under);
          opensMenu({ kind: under ? 'entries' : 'preview' })(event);
        }}
      />
      {isSeen && place !== null ? <Box entry={place.ref} box={place.box} frame={frame} /> : null}
      <HeldGuides />
    </>
  );
}

interface BoxProps {
  readonly entry: EntryRef;
  readonly box: PercentBox;
  readonly frame: { readonly current: HTMLElement | null };
}

function Box({ entry, box, frame }: BoxProps) {
  const hint = useId();
  const name = entryName(project.value, entry);
  const format = formatName(shownPreset.value.name);
  const whom = placeScope.value === 'own' ? texts.formatOnly(format) : texts.allFormats;
  const take = (grip: Grip) => (event: PointerEvent) => dragGrip(event, grip, frame.current!);
  const keys = (isSize: boolean) => ({
    onKeyDown: (event: KeyboardEvent) => void boxKey(event, isSize),
    onKeyUp: endBoxKeys,
    onBlur: endBoxKeys,
  });
  return (
    <fieldset
      class="bx"
      onContextMenu={opensMenu({ kind: 'entries' })}
      aria-label={texts.placeOf(name, format)}
      data-away={!isSeenHere.value}
      data-whole={isWhole(box)}
      style={{ left: `${box.x}%`, top: `${box.y}%`, width: `${box.width}%`, height: `${box.height}%` }}
    >
      <button
        type="button"
        class="bx-move"
        aria-label={texts.moveBox(name)}
        aria-describedby={hint}
        onPointerDown={take('move')}
        {...keys(false)}
      />
      <span class="bx-name" aria-hidden="true">
        {whom}
      </span>
      {GRIPS.map((grip) => (
        <i key={grip} class={`bx-grip ${grip}`} onPointerDown={take(grip)} />
      ))}
      <button
        type="button"
        class="bx-grip se"
        aria-label={texts.sizeOfBox(name)}
        aria-describedby={hint}
        onPointerDown={take('se')}
        {...keys(true)}
      />
      <span id={hint} class="unseen">
        {texts.boxKeys(whom)}
      </span>
      <span class="unseen" role="status">
        {texts.boxAt(percent(box.x), percent(box.y), percent(box.width), percent(box.height))}
      </span>
    </fieldset>
  );
}

function percent(value: number): string {
  return page.percent(Math.round(value * 10) / 10);
}

function entryName(of: Project, { lane, id }: EntryRef): string {
  const entry = of.timeline_data[lane].find((each) => each.id === id) as { text?: string; file_field?: string };
  if (lane === 'tier_blocks') return texts.theBoard;
  if (entry.text !== undefined) return texts.quoted(entry.text.slice(0, 40));
  return mediaOf(of, entry.file_field ?? '')?.name ?? id;
}

/** During a drag: the active guides and the safe area. */
function HeldGuides() {
  const now = holding.value;
  if (now === null) return null;
  const { x, y, width, height } = safeArea(shownPreset.value);
  return (
    <div class="bx-guides" aria-hidden="true">
      <i class="safe" style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }} />
      {now.heldX !== null && <i class="across" style={{ left: `${now.heldX}%` }} />}
      {now.heldY !== null && <i class="down" style={{ top: `${now.heldY}%` }} />}
    </div>
  );
}

/** Asks the planner for the box whenever the selection, preset or plan changes. */
function watchPlaces(): void {
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

/** Snap distance on the screen. */
const SNAP_PX = 8;
/** The step of an arrow key, in percent; the second with Shift. */
const STEPS = [1, 5] as const;

/** The active guides during a drag. */
const holding = signal<Pick<DraggedBox, 'heldX' | 'heldY'> | null>(null);

/** A box during a change by pointer or keys: visible at once, one undo step in the end. */
interface Held {
  put(box: PercentBox): void;
  end(keep: boolean): void;
}

function take(ref: EntryRef, box: PercentBox, label: string): Held {
  const gesture = beginGesture();
  const [preset, scope] = [shownPreset.value, placeScope.value];
  let last = box;
  return {
    put(next) {
      last = next;
      inHand.value = { ref, box: next, over: false };
      gesture.change(label, (draft) => setBox(draft, ref, next, preset, scope));
    },
    end(keep) {
      // Show the final box until the planner has caught up.
      const isChanged = keep && last !== box;
      inHand.value = isChanged ? { ref, box: last, over: true } : null;
      holding.value = null;
      if (keep) gesture.end();
      else gesture.cancel();
    },
  };
}

/** Tracks a pointer from a press on a grip of the selected box or on an entry of the canvas. */
function dragGrip(event: PointerEvent, grip: Grip, frame: HTMLElement): void {
  let held: Held | null = null;
  let begun: { readonly at: Point; readonly box: PercentBox; readonly ref: EntryRef } | null = null;
  let guides: Guides = { x: [], y: [] };
  const { width, height } = frame.getBoundingClientRect();
  startDrag(event, {
    from: 'moved',
    start(at) {
      const place = selectedPlace.value;
      // An entry that was only just selected may have no known box yet; a second drag moves it.
      if (place === null || (grip === 'move' && isWhole(place.box))) return false;
      begun = { at, ...place };
      const plan = planned.value.plans.get(shownPresetName.value);
      const path = entryPath(project.value, place.ref.lane, place.ref.id);
      if (plan !== undefined) guides = guidesOf(unpacked(plan), playhead.value, path);
      held = take(place.ref, place.box, grip === 'move' ? texts.moveOnCanvas : texts.resizeOnCanvas);
      return true;
    },
    move(at, moved) {
      if (begun === null || held === null) return;
      const { box, ref } = begun;
      const by = { x: ((at.x - begun.at.x) / width) * 100, y: ((at.y - begun.at.y) / height) * 100 };
      const isFree = moved.altKey || !snapping.value;
      const reach = isFree ? { x: 0, y: 0 } : { x: (SNAP_PX / width) * 100, y: (SNAP_PX / height) * 100 };
      // Clips keep their aspect ratio, boards and texts do not; Shift inverts that.
      const inProportion = (ref.lane === 'videos') !== moved.shiftKey;
      const found = dragBox(box, grip, by, { guides, reach, inProportion });
      holding.value = found;
      held.put(found.box);
    },
    end: () => held?.end(true),
    cancel: () => held?.end(false),
  });
}

/** A box that covers the canvas can only be resized, so that it is not moved by accident. */
function isWhole({ x, y, width, height }: PercentBox): boolean {
  return x <= 0 && y <= 0 && x + width >= 100 && y + height >= 100;
}

/** The frontmost visible entry at a point of the canvas; null if there is none, undefined if there is no plan. */
function entryUnder(event: MouseEvent, frame: HTMLElement): Selection | null | undefined {
  const plan = planned.value.plans.get(shownPresetName.value);
  const { of } = planned.value;
  if (plan === undefined || of === null) return undefined;
  const { left, top, width, height } = frame.getBoundingClientRect();
  const x = ((event.clientX - left) / width) * plan.canvas.width;
  const y = ((event.clientY - top) / height) * plan.canvas.height;
  const found = seenAt(unpacked(plan), playhead.value).findLast(
    ({ rect }) => x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height,
  );
  return found === undefined ? null : selectionAt(of, found.path);
}

/** Selects the entry at a point of the canvas and starts to drag it. */
function pickAt(event: PointerEvent, frame: HTMLElement): void {
  const next = event.button === 0 ? entryUnder(event, frame) : undefined;
  if (next === undefined) return;
  selectEntry(next ?? NOTHING);
  if (next !== null) dragGrip(event, 'move', frame);
}

/** Selects an entry, unless it is already selected. */
function selectEntry(next: Selection): void {
  const [ref] = selectedEntries(next);
  const isChosen = ref !== undefined && selectedEntries(selection.value).some((other) => sameEntry(other, ref));
  if (!isChosen) selection.value = next;
}

let byKeys: { readonly held: Held; box: PercentBox; readonly isSize: boolean } | null = null;

/** Arrow keys move or resize the box; while a key is held, it is one step. @returns whether the key was handled. */
function boxKey(event: KeyboardEvent, isSize: boolean): boolean {
  const [, shift, side] = /^(shift\+)?arrow(left|right|up|down)$/.exec(keyName(event)) ?? [];
  const place = selectedPlace.value;
  if (side === undefined || place === null) return false;
  event.preventDefault();
  event.stopPropagation();
  if (byKeys === null || byKeys.isSize !== isSize) {
    endBoxKeys();
    const label = isSize ? texts.resizeOnCanvas : texts.moveOnCanvas;
    byKeys = { held: take(place.ref, place.box, label), box: place.box, isSize };
  }
  const step = STEPS[shift === undefined ? 0 : 1] * (side === 'left' || side === 'up' ? -1 : 1);
  const by = side === 'left' || side === 'right' ? { x: step, y: 0 } : { x: 0, y: step };
  const free = { guides: { x: [], y: [] }, reach: { x: 0, y: 0 }, inProportion: false };
  byKeys.box = dragBox(byKeys.box, isSize ? 'se' : 'move', by, free).box;
  byKeys.held.put(byKeys.box);
  return true;
}

function endBoxKeys(): void {
  byKeys?.held.end(true);
  byKeys = null;
}

/** The area that the buttons and titles of players leave free. (C21) */
function safeArea(canvas: { readonly width: number; readonly height: number }): PercentBox {
  return BLOCK_BOX[shapeOf(canvas)];
}

/** The edges and middle of the canvas, its safe area, and everything visible at a frame. */
function guidesOf(plan: RenderPlan, frame: number, exceptPath: string): Guides {
  const { canvas } = plan;
  const safe = safeArea(canvas);
  const others = seenAt(plan, frame).filter(({ path }) => path !== exceptPath);
  return {
    x: [
      ...[0, 50, 100, safe.x, safe.x + safe.width],
      ...others.flatMap(({ rect }) => [rect.x, rect.x + rect.width].map((px) => (px / canvas.width) * 100)),
    ],
    y: [
      ...[0, 50, 100, safe.y, safe.y + safe.height],
      ...others.flatMap(({ rect }) => [rect.y, rect.y + rect.height].map((px) => (px / canvas.height) * 100)),
    ],
  };
}

/** A visible entry and its rectangle, in canvas pixels. */
interface Seen {
  readonly path: string;
  readonly rect: Rect;
}

/** The visible entries of a frame, back to front. */
function seenAt(plan: RenderPlan, frame: number): readonly Seen[] {
  const span = plan.spans.find(({ start, end }) => start <= frame && frame < end);
  return (span?.layers ?? []).flatMap((layer) => seenLayer(plan, layer) ?? []);
}

function seenLayer(plan: RenderPlan, ref: LayerRef): Seen | null {
  if (ref.kind !== 'clip') return PAINTED[ref.kind].isEntry ? paintedLayer(plan, ref) : null;
  const { path, backdrop, dest } = plan.clips[ref.index]!;
  return { path, rect: backdrop?.dest ?? dest };
}
