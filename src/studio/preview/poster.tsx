import { effect } from '@preact/signals';
import { decided, planned, playhead, playing, posterAt, undoLabel } from '../session/session.ts';
import { shown } from './stage-client.ts';

/** A still of the example, shown until its pictures and fonts are loaded and the preview is drawn. */
export function PreviewPoster() {
  return posterAt.value === null ? null : <i class="pv-poster" aria-hidden="true" />;
}

/** Time limit after the last picture has arrived. */
const LATEST_MS = 6000;

/** Removes the poster permanently when the preview shows the same, or when the user moves on. */
export function watchPoster(): void {
  let before = shown.peek();
  effect(() => {
    // The frame on the canvas comes from an earlier plan.
    if (planned.value.of !== null) before = shown.peek();
  });
  effect(() => {
    if (posterAt.value === null || isWaiting()) return;
    // A browser that lacks a font never reports an exact frame.
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

/** Whether pictures are still being made. */
function isWaiting(): boolean {
  return Object.values(decided.value.studio.coming ?? {}).some(({ kind }) => kind !== 'audio');
}
