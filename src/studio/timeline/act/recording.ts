import { computed, signal } from '@preact/signals';
import type { Frames } from '../../../time.ts';

/** A recording in progress: the items of the next taps, and the taps so far. */
interface Recording {
  readonly order: readonly string[];
  readonly taps: readonly Frames[];
}

export const recording = signal<Recording | null>(null);

export const isRecording = computed(() => recording.value !== null);
