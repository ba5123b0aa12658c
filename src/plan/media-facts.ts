import type { Seconds } from '../time.ts';

export const MEDIA_KINDS = ['video', 'animation', 'still', 'drawing', 'audio', 'font', 'unreadable'] as const;

/** What the planner needs to know about an upload; the engine's probe finds it out. */
export interface MediaFacts {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /**
   * `drawing`: an SVG, which can be an item's picture and nothing else. `font`: letters, which can be a theme's and nothing
   * else. `unreadable`: neither picture nor sound could be found in it.
   */
  readonly kind: (typeof MEDIA_KINDS)[number];
  /** How long the longest stream lasts; 0 for stills. */
  readonly duration: Seconds;
  /** Upright and square-pixelled; 0 where there is no picture. */
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly sound: boolean;
}

/** Why an SVG cannot be a clip: it has no pixels, and rasterizing it for every frame is not worth the risk. */
export const DRAWING_AS_CLIP =
  'An SVG can be the picture of an item, not a video clip: a clip needs a video or an image of pixels.';

/** Facts by `file_field`. */
export type MediaFactsByField = ReadonlyMap<string, MediaFacts>;
