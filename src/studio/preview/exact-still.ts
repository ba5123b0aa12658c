import { effect } from '@preact/signals';
import { say } from '../kit/messages.ts';
import { mayBeSent, maySend } from '../session/may-send.ts';
import { hasService } from '../session/service-state.ts';
import {
  allCame,
  decided,
  exported,
  planned,
  playhead,
  playing,
  project,
  shownPresetName,
} from '../session/session.ts';
import * as texts from '../texts/en/preview.ts';
import { askForFrame } from './ask-for-frame.ts';
import { shown } from './canvas-client.tsx';
import { exactUrl, isFetching, type Still, still } from './shown-still.ts';

/** How long the playhead must rest before a request. */
const REST_MS = 700;

let fetching = new AbortController();
/** What is being fetched. */
let wanted: Omit<Still, 'url'> | null = null;

/**
 * Requests the exact frame when the playhead rests, if the service already has the files from an export, or if this browser cannot show
 * it exactly and the user agreed. Otherwise nothing leaves the browser without a click.
 */
export function watchStills(): void {
  if (!hasService) return;
  effect(() => {
    const now = shown.value;
    const at = [project.value, shownPresetName.value, playhead.value] as const;
    // What is being fetched stays wanted while the canvas catches up.
    const isComing = wanted?.of === at[0] && wanted.preset === at[1] && wanted.frame === at[2];
    if (isComing && !playing.value) return;
    fetching.abort();
    if (playing.value || now === null || !now.settled || now.frame !== at[2] || planned.value.of !== at[0]) return;
    if (at[0].studio.coming !== undefined) return;
    if (exactUrl.value !== null || (now.close.length === 0 && exported.value === null)) return;
    if (exported.value === null && maySend.value === false) return;
    const resting = new AbortController();
    fetching = resting;
    setTimeout(() => {
      const isSent = exported.peek() !== null;
      if (!resting.signal.aborted && (isSent || mayBeSent())) void fetchStill(resting.signal).catch(() => {});
    }, REST_MS);
  });
}

/** Requests the frame at the playhead in any case. */
export async function showExact(): Promise<void> {
  fetching.abort();
  fetching = new AbortController();
  try {
    await fetchStill(fetching.signal);
  } catch (error) {
    if (!fetching.signal.aborted) say(error instanceof Error ? error.message : texts.notFetched, 'bad');
  }
}

async function fetchStill(signal: AbortSignal): Promise<void> {
  await allCame(signal);
  const of = decided.peek();
  const [preset, frame] = [shownPresetName.peek(), playhead.peek()];
  const own = { of, preset, frame };
  wanted = own;
  isFetching.value = true;
  try {
    const url = URL.createObjectURL(await askForFrame(of, { preset, frame }, signal));
    if (still.peek() !== null) URL.revokeObjectURL(still.peek()!.url);
    still.value = { of, preset, frame, url };
  } finally {
    if (wanted === own) wanted = null;
    isFetching.value = false;
  }
}
