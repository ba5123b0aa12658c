/** What a single upload may demand of the machine; every number is configurable. */
export interface MediaLimits {
  /** Largest coded picture of a video, in pixels. A portrait video may swap the two. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly maxFps: number;
  readonly maxDurationSeconds: number;
  /** Tracks of any sort, those we ignore included. */
  readonly maxStreams: number;
  /** A still's width × height, and its longer side. */
  readonly imageMaxPixels: number;
  readonly imageMaxSide: number;
  /** An animation's frames, and width × height × frames. */
  readonly animationMaxFrames: number;
  readonly animationMaxPixels: number;
}

/** The default limits. */
export const DEFAULT_MEDIA_LIMITS: MediaLimits = {
  maxWidth: 8192,
  maxHeight: 4320,
  maxFps: 240,
  maxDurationSeconds: 14_400,
  maxStreams: 16,
  imageMaxPixels: 50_000_000,
  imageMaxSide: 16_384,
  animationMaxFrames: 600,
  animationMaxPixels: 200_000_000,
};
