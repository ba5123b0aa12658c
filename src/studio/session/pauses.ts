import { signal } from '@preact/signals';
import type { EntryRef } from '../document/selection.ts';

/** The entries whose pauses are being reviewed for removal; null if none. (C78) */
export const pausesOf = signal<readonly EntryRef[] | null>(null);
