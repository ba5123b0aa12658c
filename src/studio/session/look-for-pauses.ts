import { whyNoPauses } from '../document/remove-pauses.ts';
import type { EntryRef } from '../document/selection.ts';
import { drawer } from '../kit/drawers.tsx';
import { say } from '../kit/messages.ts';
import { timeRules } from './edit-timeline.ts';
import { captionsOf, pausesOf, timelineData } from './session.ts';

export function lookForPauses(...refs: readonly EntryRef[]): void {
  for (const { lane, id } of refs) {
    const index = timelineData.value[lane].findIndex((entry) => entry.id === id);
    const why = whyNoPauses(timelineData.value, { lane, index }, timeRules.value);
    if (why !== null) {
      say(why);
      return;
    }
  }
  captionsOf.value = null;
  pausesOf.value = refs;
  drawer.value = null;
}
