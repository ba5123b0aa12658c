import type { BoardWindow } from '../layers/painted-layers.ts';

/**
 * Up to this number of window sizes, every picture is scaled in advance, from its file. With more, pictures are scaled
 * when they are needed, from a smaller copy, and differ slightly: so the key contains which of the two applies. (R18)
 */
const MAX_SIZES = 16;

/** Whether there are too many window sizes to scale pictures for each in advance. */
export function haveManySizes(windows: readonly BoardWindow[]): boolean {
  return new Set(windows.map(({ rect }) => `${rect.width}x${rect.height}`)).size > MAX_SIZES;
}
