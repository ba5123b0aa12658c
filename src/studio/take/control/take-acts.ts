import { drop, type Performance, pickUp, putBack, undoLast } from '../../document/take/performance.ts';
import { announce } from '../../kit/messages.ts';
import { decided } from '../../session/session.ts';
import * as texts from '../../texts/en/take.ts';
import { writeLog } from '../take-log.ts';
import { inSeconds, momentOf, pageTimes } from './take-moments.ts';
import { hasPicture, performed, recording, startFrame, takeLayout, takeStep } from './take-state.ts';

export function lift(item: string, eventMs: number): void {
  act((before) => pickUp(before, item, momentOf(eventMs)), texts.said.pickedUp(cardName(item)));
}

export function land(row: string, eventMs: number, index?: number): void {
  const { up } = performed.value;
  if (up === null) return;
  act((before) => drop(before, row, momentOf(eventMs), index), texts.said.dropped(cardName(up.item), labelOf(row)));
}

export function letGo(): void {
  const { up } = performed.value;
  if (up !== null) act(putBack, texts.said.putBack(cardName(up.item)));
}

export function undoAct(): void {
  act(undoLast, texts.said.undone);
}

function act(change: (before: Performance) => Performance, words: string): void {
  if (takeStep.value !== 'run') return;
  performed.value = change(performed.value);
  announce(words);
  logTake();
}

/** Logs the actions, in case the page closes. */
export function logTake(): void {
  if (recording.value === null) return;
  const { name, recorder } = recording.value;
  const { times = pageTimes(), files = [] } = recorder.state.value ?? {};
  const chosen = hasPicture() ? takeLayout.value : null;
  writeLog({ name, files, at: startFrame.value, layout: chosen, performance: inSeconds(performed.value, times) });
}

export function cardName(item: string): string {
  return decided.value.tier_list.items.find(({ id }) => id === item)?.name ?? item;
}

export function labelOf(row: string): string {
  return decided.value.tier_list.rows.find(({ id }) => id === row)?.label ?? row;
}
