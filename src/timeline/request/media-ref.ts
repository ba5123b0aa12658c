import type { FontName } from '../choices.ts';

/** A mention of an upload, with its path. */
export interface MediaRef {
  readonly field: string;
  readonly path: string;
}

/** An upload, or a family that ships. (C63) */
export type FontChoice = MediaRef | FontName;
