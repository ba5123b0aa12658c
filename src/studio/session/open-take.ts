import { signal } from '@preact/signals';
import { readOnly } from './session.ts';

/** Whether the take screen is open. It covers the whole page. */
export const takeOpen = signal(false);

/** A take that was just added to the timeline. Its next steps are offered once. */
interface FinishedTake {
  /** Its files. */
  readonly fields: readonly string[];
  readonly cards: number;
}

export const finishedTake = signal<FinishedTake | null>(null);

/** A recording that was running when its page closed. */
export interface UnfinishedTake {
  readonly name: string;
  /** Its files, in order. */
  readonly files: readonly string[];
  /** The playable bytes. */
  readonly bytes: number;
  /** The last write, in milliseconds since 1970. */
  readonly at: number;
}

export const unfinishedTakes = signal<readonly UnfinishedTake[]>([]);

export function openTake(): void {
  if (readOnly.value) return;
  finishedTake.value = null;
  takeOpen.value = true;
}
