import { signal } from '@preact/signals';

/** A time range of the video, in seconds. */
export interface RenderedRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges that the service has rendered in advance, shown in the ruler. (C79) */
export const rendered = signal<readonly RenderedRange[]>([]);
