import { signal } from '@preact/signals';

/** How far taking files in is; null: nothing is being taken in. */
export const importing = signal<{ readonly done: number; readonly of: number } | null>(null);
