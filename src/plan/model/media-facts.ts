import type { Seconds } from '../../time.ts';

export const MEDIA_KINDS = ['video', 'animation', 'still', 'drawing', 'audio', 'font', 'unreadable'] as const;

/** The planner's facts about an upload; the engine's probe determines them. */
export interface MediaFacts {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /**
   * `drawing`: an SVG, valid only as an item's picture. `font`: valid only as a theme's font. `unreadable`: the probe
   * found neither picture nor sound.
   */
  readonly kind: (typeof MEDIA_KINDS)[number];
  /** How long the longest stream lasts; 0 for stills. */
  readonly duration: Seconds;
  /** Upright, in square pixels; 0 if there is no picture. */
  readonly width: number;
  readonly height: number;
  readonly alpha: boolean;
  readonly sound: boolean;
  /** Whether a picture's file ends before the picture does. Absent: no. */
  readonly truncated?: boolean | undefined;
}

/** Why an SVG cannot be a clip: it has no pixels, and rasterizing it for every frame is not worth the risk. */
export const DRAWING_AS_CLIP =
  'An SVG can be the picture of an item, not a video clip: a clip needs a video or an image of pixels.';

/** Facts by `file_field`. */
export type MediaFactsByField = ReadonlyMap<string, MediaFacts>;
