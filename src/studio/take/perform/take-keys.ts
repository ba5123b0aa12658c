import { cancelCount } from '../control/enter-take.ts';
import { stopTake, togglePause } from '../control/run-take.ts';
import { land, letGo, lift, undoAct } from '../control/take-acts.ts';
import { performed, takeStep } from '../control/take-state.ts';

/** The keys of a take. They are handled before those of the page, which an open dialog disables anyway. */
export function bindTakeKeys(keys: ReadonlyMap<string, string>): () => void {
  const heard = new AbortController();
  addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (!run(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true, signal: heard.signal },
  );
  return () => heard.abort();

  function run({ key, shiftKey, timeStamp, target }: KeyboardEvent): boolean {
    if (key === 'Escape') {
      if (takeStep.value === 'count') cancelCount();
      else if (shiftKey) void stopTake(timeStamp);
      else letGo();
      return true;
    }
    if (shiftKey) return false;
    if (key === 'Backspace') {
      undoAct();
      return true;
    }
    if (key === 'p' || key === 'P') {
      togglePause(timeStamp);
      return true;
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') return focusCard(key === 'ArrowRight' ? 1 : -1);
    // Enter and Space press a focused button. Without one, Enter picks up the next card.
    if (key === 'Enter' && !(target instanceof HTMLButtonElement)) {
      const next = document.querySelector<HTMLElement>('.tk-tray .tk-card')?.dataset.item;
      if (next !== undefined) lift(next, timeStamp);
      return next !== undefined;
    }
    const row = [...keys].find(([, each]) => each === key.toLowerCase())?.[0];
    if (row === undefined || performed.value.up === null) return false;
    land(row, timeStamp);
    return true;
  }
}

function focusCard(by: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('.tk-tray .tk-card')];
  if (cards.length === 0) return false;
  const at = cards.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (by > 0 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length;
  cards[next]!.focus();
  return true;
}
