import { effect } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { PercentBox } from '../../../timeline/default-looks.ts';
import { boxedEntry } from '../../document/place-commands.ts';
import { mediaOf, type Project } from '../../document/project.ts';
import { type EntryRef, entryPath } from '../../document/selection.ts';
import { opensMenu } from '../../kit/open-menu.ts';
import { formatName } from '../../kit/shown-values.ts';
import { boxedRef, inHand, isSeenHere, knownPlace, placeScope, selectedPlace } from '../../session/selected-place.ts';
import { planned, playing, project, readOnly, shownPresetName } from '../../session/session.ts';
import { shownPreset } from '../../session/shown-preset.ts';
import * as texts from '../../texts/en/late.ts';
import * as page from '../../texts/en/page.ts';
import { askPlace, whenPlaced } from '../plan/plan-client.ts';
import type { Grip } from './drag-box.ts';
import {
  boxKey,
  dragGrip,
  endBoxKeys,
  entryUnder,
  holding,
  isWhole,
  pickAt,
  safeArea,
  selectEntry,
} from './hold-box.ts';

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
  const isSeen = !playing.value && !readOnly.value;
  return (
    <>
      <div
        class="bx-pick"
        onPointerDown={(event) => isSeen && pickAt(event, frame.current!)}
        onContextMenu={(event) => {
          const under = isSeen ? entryUnder(event, frame.current!) : null;
          if (under) selectEntry(under);
          opensMenu({ kind: under ? 'entries' : 'preview' })(event);
        }}
      />
      {isSeen && place !== null ? <Box entry={place.ref} box={place.box} frame={frame} /> : null}
      <Held />
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
function Held() {
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
