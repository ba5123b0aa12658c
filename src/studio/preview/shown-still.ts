import { computed, signal } from '@preact/signals';
import type { Project } from '../document/project.ts';
import { playhead, playing, project, shownPresetName } from '../session/session.ts';

/** A frame rendered by the service, and what it shows. */
export interface Still {
  readonly of: Project;
  readonly preset: string;
  readonly frame: number;
  readonly url: string;
}

export const still = signal<Still | null>(null);
/** Whether a frame is being fetched. */
export const isFetching = signal(false);

/** URL of the exact picture at the playhead; null if there is none. */
export const exactUrl = computed(() => {
  const now = still.value;
  const isOf = now?.of === project.value && now.preset === shownPresetName.value && now.frame === playhead.value;
  return isOf && !playing.value ? now.url : null;
});
