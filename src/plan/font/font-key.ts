import type { PlanFont } from '../theme.ts';

/** What a font adds to a key. The families identify the letters; for an upload, by its hash. */
export function fontKey({ families: { display, strong, text } }: PlanFont): string {
  return [display, strong, text].join();
}
