import type { Frames } from '../../time.ts';
import { spreadReveals } from '../document/timeline/reveals.ts';
import { slotOf } from '../document/timeline/slot.ts';
import { say } from '../kit/messages.ts';
import * as texts from '../texts/en/page.ts';
import { project, timelineData } from './session.ts';
import { editTimeline, lastFrame, timeRules } from './timeline.ts';

/** Spreads all reveals evenly over the time in which the board is visible, or over the whole video if it never is. */
export function spreadEvenly(): void {
  const blocks = (timelineData.value.tier_blocks ?? []).map((_, index) =>
    slotOf(timelineData.value, { lane: 'tier_blocks', index }, timeRules.value),
  );
  const start = blocks.reduce(
    (min, slot) => Math.min(min, slot.start),
    blocks.length === 0 ? 0 : Number.MAX_SAFE_INTEGER,
  );
  const end = blocks.reduce((max, slot) => Math.max(max, slot.end), 0) || lastFrame.value;
  if (end <= start) {
    say(texts.noTimeToSpread);
    return;
  }
  const over = { start: start as Frames, end: end as Frames };
  editTimeline(texts.spreadReveals, (data, by) => spreadReveals(data, project.value.tier_list, over, by));
}
