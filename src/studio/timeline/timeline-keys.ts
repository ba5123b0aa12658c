import { ADDED_LANES } from '../document/lanes.ts';
import { type Key, onKey } from '../keys/keys.ts';
import { selection, snapping } from '../session/session.ts';
import * as page from '../texts/en/page.ts';
import * as texts from '../texts/en/timeline.ts';
import { putSelectedHere } from './act/drop-media.ts';
import { isRecording, stopRecording, tap } from './act/record-reveals.ts';
import {
  addHere,
  openOrder,
  removeSelected,
  revealHere,
  splitHere,
  trimHere,
  zoomBy,
  zoomToFit,
} from './act/timeline-actions.ts';
import { rippling, selectAll } from './act/timeline-model.ts';
import { addPointHere } from './act/volume-pen.ts';

/** Binds the keys of the timeline. @returns how to unbind them. */
export function bindTimelineKeys(): () => void {
  const own = (key: string, label: string | null, run: Key['run']) => onKey(key, label, run, 'timeline');
  const bound = [
    own('s', texts.splitHere, splitHere),
    own('delete', page.remove, () => removeSelected(rippling.value)),
    own('backspace', null, () => removeSelected(rippling.value)),
    own('shift+delete', texts.removeAndClose, () => removeSelected(true)),
    own('shift+backspace', null, () => removeSelected(true)),
    own('ctrl+a', texts.selectAllEntries, () => {
      const isHere = document.querySelector('.timeline')?.contains(document.activeElement) === true;
      return (isHere || selection.value.kind === 'entries') && selectAll();
    }),
    own('r', texts.revealAtPlayhead, () => (isRecording.value ? tap() : revealHere())),
    ...ADDED_LANES.flatMap(({ lane, key, words }) =>
      key === undefined ? [] : [own(key.toLowerCase(), words, () => addHere(lane))],
    ),
    own('i', texts.putFileHere, putSelectedHere),
    own('[', texts.trimStartHere, () => trimHere('start')),
    own(']', texts.trimEndHere, () => trimHere('end')),
    own('o', texts.revealOrder, openOrder),
    own('v', texts.volumePointHere, addPointHere),
    own('n', texts.switchSnapping, () => {
      snapping.value = !snapping.value;
    }),
    own('+', texts.zoomIn, () => zoomBy(1.5)),
    own('=', null, () => zoomBy(1.5)),
    own('-', texts.zoomOut, () => zoomBy(1 / 1.5)),
    own('shift+z', texts.fitTimeline, zoomToFit),
    own('escape', null, () => {
      if (!isRecording.value) return false;
      stopRecording();
      return true;
    }),
  ];
  return () => {
    for (const unbind of bound) unbind();
  };
}
