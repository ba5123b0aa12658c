/** Looks for places where another file begins inside a file. May keep state; use one for each file. */
export interface PartScanner {
  /**
   * The element that begins at `at` (a page, a tag, a frame), which is the file's byte `position`; null if it is
   * unknown. It is followed by as many bytes as any scanner reads, unless the file ends.
   */
  step(bytes: Buffer, at: number, position: number): ScannedThing | null;
  /** Where the next element may begin after `at`, within the bytes. */
  next(bytes: Buffer, at: number): number;
}

interface ScannedThing {
  /** At least 1. */
  readonly length: number;
  /** The byte of the file at which another file begins with this, tags in front of it included. */
  readonly part?: number;
}

/** The next place of `magic` after `at`, or the first with too few bytes to decide. */
export function nextPlace(magic: string, bytes: Buffer, at: number): number {
  const found = bytes.indexOf(magic, at + 1, 'latin1');
  return found === -1 ? Math.max(at + 1, bytes.length - magic.length + 1) : found;
}
