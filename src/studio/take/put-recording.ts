import { type Frames, secondsOf } from '../../time.ts';
import { applyLayout, type LayoutName } from '../document/layout-commands.ts';
import { addMedia } from '../document/media/add-files.ts';
import { placeMedia } from '../document/media-commands.ts';
import type { MediaEntry } from '../document/project.ts';
import type { Performance } from '../document/take/performance.ts';
import { putTake } from '../document/take/put-take.ts';
import { studioConfig } from '../kit/assets.ts';
import { edit, playhead, rate } from '../session/session.ts';
import { finishedTake } from '../session/take.ts';
import { rules } from '../session/timeline.ts';

interface Recording {
  readonly entry: MediaEntry;
  readonly at: Frames;
  readonly seconds: number;
  readonly cuts: readonly number[];
  readonly performance: Performance;
  readonly layout: LayoutName | null;
}

/** A recording and what was done in it, on the timeline as one step of undo. */
export function putRecording({ entry, at, seconds, cuts, performance, layout }: Recording): void {
  const length = Math.min(seconds, entry.duration);
  let field = '';
  if (entry.kind === 'audio') {
    edit('Record a voice-over', (draft) => {
      field = addMedia(draft, entry);
      placeMedia(draft, field, entry, { lane: 'soundtracks', start: secondsOf(at, rate.value) });
    });
  } else {
    edit('Record a take', (draft) => {
      field = addMedia(draft, entry);
      putTake(draft, { at, seconds: length, performance, clip: { field, cuts } }, rules.value);
      if (layout !== null) applyLayout(draft, layout, studioConfig.presets);
    });
  }
  playhead.value = at;
  finishedTake.value = { field, seconds: length, cards: new Set(performance.acts.map(({ item }) => item)).size };
}
