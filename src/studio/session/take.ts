import { signal } from '@preact/signals';
import { readOnly } from './session.ts';

/** Whether a take is being set up or recorded: it lies over all of the page. */
export const takeOpen = signal(false);

/** A take that has just been put onto the timeline; its next steps are offered once. */
interface FinishedTake {
  readonly field: string;
  readonly seconds: number;
  readonly cards: number;
}

export const finishedTake = signal<FinishedTake | null>(null);

/** A recording that was under way when its page went away. */
export interface UnfinishedTake {
  readonly name: string;
  /** Its files, in their order. */
  readonly files: readonly string[];
  /** What of it can be played. */
  readonly bytes: number;
  /** When it was written last, in milliseconds since 1970. */
  readonly at: number;
}

export const unfinishedTakes = signal<readonly UnfinishedTake[]>([]);

export function openTake(): void {
  if (readOnly.value) return;
  finishedTake.value = null;
  takeOpen.value = true;
}
