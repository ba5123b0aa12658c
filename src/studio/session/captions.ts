import { signal } from '@preact/signals';
import type { EntryRef } from '../document/selection.ts';

/** What the caption editor is open for: the whole video, or one entry to transcribe; null if it is closed. (C77) */
export const captionsOf = signal<{ readonly entry: EntryRef | null } | null>(null);

export function openCaptions(entry: EntryRef | null): void {
  captionsOf.value = { entry };
}
