import { signal } from '@preact/signals';

/** A stretch of the video, in seconds. */
export interface RenderedRange {
  readonly start: number;
  readonly end: number;
}

/** What the service has rendered of the project while it is edited, as the ruler shows it. (C79) */
export const rendered = signal<readonly RenderedRange[]>([]);
