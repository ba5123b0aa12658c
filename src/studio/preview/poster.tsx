import { effect } from '@preact/signals';
import { decided, planned, playhead, playing, posterAt, undoLabel } from '../session/session.ts';
import { shown } from './stage-client.ts';

/** The example as a still, until its pictures and fonts are there and the preview is drawn. */
export function Poster() {
  return posterAt.value === null ? null : <i class="pv-poster" aria-hidden="true" />;
}

/** After the last picture has come. */
const LATEST_MS = 6000;

/** Takes the poster away for good when the preview shows the same, or is to show something else. */
export function watchPoster(): void {
  let before = shown.peek();
  effect(() => {
    // What is on the canvas now was drawn by an earlier plan.
    if (planned.value.of !== null) before = shown.peek();
  });
  effect(() => {
    if (posterAt.value === null || isWaiting()) return;
    // A browser that lacks a font is only close for good.
    const late = setTimeout(takeAway, LATEST_MS);
    return () => clearTimeout(late);
  });
  effect(() => {
    if (posterAt.value === null) return;
    const now = shown.value;
    const isDrawn = now !== null && now !== before && now.settled && now.close.length === 0;
    const isElsewhere = playhead.value !== posterAt.value || playing.value || undoLabel.value !== null;
    if (isElsewhere || (isDrawn && !isWaiting() && planned.value.of === decided.value)) takeAway();
  });
}

function takeAway(): void {
  posterAt.value = null;
}

/** Whether pictures are still to come. */
function isWaiting(): boolean {
  return Object.values(decided.value.studio.coming ?? {}).some(({ kind }) => kind !== 'audio');
}
