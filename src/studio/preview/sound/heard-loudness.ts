import { signal } from '@preact/signals';

/** Short-term loudness of what is heard, in tenths of LUFS; null where nothing is. */
export const heardLoudness = signal<number | null>(null);
