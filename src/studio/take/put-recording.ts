import type { Frames } from '../../time.ts';
import { applyLayout, type LayoutName } from '../document/layout-commands.ts';
import { addMedia } from '../document/media/add-files.ts';
import type { Performance } from '../document/take/performance.ts';
import { putTake, putVoice } from '../document/take/put-take.ts';
import { studioConfig } from '../kit/assets.ts';
import { edit, playhead } from '../session/session.ts';
import { finishedTake } from '../session/take.ts';
import { timeRules } from '../session/timeline.ts';
import * as texts from '../texts/en/take.ts';
import type { KeptFile } from './keep-take.ts';

interface Recording {
  /** At least one. */
  readonly files: readonly KeptFile[];
  readonly at: Frames;
  readonly seconds: number;
  readonly cuts: readonly number[];
  readonly performance: Performance;
  readonly layout: LayoutName | null;
}

/** Puts a recording and its actions on the timeline, as one undo step. */
export function putRecording({ files, at, seconds, cuts, performance, layout }: Recording): void {
  const last = files.at(-1)!;
  const length = Math.min(seconds, last.from + last.entry.duration);
  const isVoice = last.entry.kind === 'audio';
  let fields: readonly string[] = [];
  edit(isVoice ? texts.recordVoice : texts.recordTake, (draft) => {
    const clips = files.map(({ entry, from }) => ({ field: addMedia(draft, entry), from }));
    fields = clips.map(({ field }) => field);
    const take = { at, seconds: length, performance, clip: { files: clips, cuts } };
    if (isVoice) putVoice(draft, take, timeRules.value);
    else putTake(draft, take, timeRules.value);
    if (layout !== null) applyLayout(draft, layout, studioConfig.presets);
  });
  playhead.value = at;
  finishedTake.value = { fields, seconds: length, cards: new Set(performance.acts.map(({ item }) => item)).size };
}
