import type { BoardWindow } from '../render-plan.ts';

/**
 * For so many sizes of windows every picture is made beforehand, from its file. With more of them all are made as they are
 * needed, from a smaller copy, and come out a little differently: so it is part of the key which way they go. (R18)
 */
const MOST_SIZES = 16;

/** Whether the windows are of too many sizes to make pictures for each beforehand. */
export function haveManySizes(windows: readonly BoardWindow[]): boolean {
  return new Set(windows.map(({ rect }) => `${rect.width}x${rect.height}`)).size > MOST_SIZES;
}
