import type { Seconds } from '../time.ts';

/** What the planner needs to know about an upload; the engine's probe finds it out. */
export interface MediaFacts {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** `unreadable`: neither picture nor sound could be found in it. */
  readonly kind: 'video' | 'animation' | 'still' | 'audio' | 'unreadable';
  /** How long the longest stream lasts; 0 for stills. */
  readonly duration: Seconds;
  /** Upright and square-pixelled; 0 where there is no picture. */
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly sound: boolean;
}

/** Facts by `file_field`. */
export type MediaFactsByField = ReadonlyMap<string, MediaFacts>;
