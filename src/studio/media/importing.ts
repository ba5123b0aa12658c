import { signal } from '@preact/signals';

/** The progress of an import; null if none is running. */
export const importing = signal<{ readonly done: number; readonly of: number } | null>(null);
