import { signal } from '@preact/signals';
import type { EntryRef } from '../document/selection.ts';

/** The entry whose pauses are looked at, to be cut out; null: none. (C78) */
export const pausesOf = signal<EntryRef | null>(null);
