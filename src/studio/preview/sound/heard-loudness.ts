import { signal } from '@preact/signals';

/** Short-term loudness of the playback, in tenths of LUFS; null if silent. */
export const heardLoudness = signal<number | null>(null);
