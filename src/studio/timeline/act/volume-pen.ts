import { signal } from '@preact/signals';
import { LANES } from '../../../timeline/lanes.ts';
import { entryAt, frameSlot } from '../../document/entries.ts';
import { gainOf } from '../../document/volume-points.ts';
import type { Point } from '../../kit/drag-session.ts';
import { announce, say } from '../../kit/messages.ts';
import { timeRules } from '../../session/edit-timeline.ts';
import { playhead, timelineData } from '../../session/session.ts';
import { addPoint, pointWords, wantedPoint } from '../../session/volume-edits.ts';
import * as texts from '../../texts/en/timeline.ts';
import { type EntryBox, gainAtHeight, levelAt, type Reach, RULER_PX } from '../view/timeline-layout.ts';
import { scale, scrollTop, select, selectedRefs } from './timeline-model.ts';

/** Whether a click on an entry adds a volume point, like Alt with a mouse. */
export const penOn = signal(false);

/** Adds a point at a click; a click on the level line keeps the level. (C80) */
export function addPointAt(box: EntryBox, { x, y }: Point, reach: Reach): void {
  const down = y - RULER_PX + scrollTop.value;
  const isOnLine = Math.abs(down - levelAt(box, x, scale.value, timeRules.value)) <= reach.level;
  const whole = gainOf(box.placed.entry.volume, timeRules.value.volumeAs);
  const gain = isOnLine ? null : gainAtHeight(box, down) / Math.max(0.001, whole);
  select([box.ref]);
  if (addPoint(box.ref, (x - box.x) / scale.value.pxPerSecond, gain)) tellPoint();
}

/** By key: adds a point at the playhead, at the current level. */
export function addPointHere(): boolean {
  const [ref, ...others] = selectedRefs.value;
  if (ref === undefined || others.length > 0 || !LANES[ref.lane].hasSound) {
    say(texts.selectSound);
    return true;
  }
  const { start, end } = frameSlot(entryAt(timelineData.value, ref)!, timeRules.value);
  const { num, den } = timeRules.value.rate;
  if (playhead.value < start || playhead.value > end) say(texts.playheadElsewhere);
  else if (addPoint(ref, ((playhead.value - start) * den) / num, null)) tellPoint();
  return true;
}

function tellPoint(): void {
  const [ref] = selectedRefs.value;
  const index = wantedPoint.value;
  const isThere = ref !== undefined && index !== null && entryAt(timelineData.value, ref)?.volume_points?.[index];
  if (isThere) announce(texts.pointAdded(pointWords(ref, index)));
}
