/** How much one request's documents may ask for. Configurable; shown at `/limits`. */
export interface TimelineLimits {
  readonly maxTimelineSeconds: number;
  readonly maxEntriesPerLane: number;
  readonly maxItems: number;
  readonly maxRows: number;
  /** Layers in a single frame; bounds the cost of a span. */
  readonly maxLayersAtOnce: number;
  readonly maxTextLength: number;
  readonly maxOutputSide: number;
  readonly maxOutputPixels: number;
  readonly maxOutputFps: number;
}

/** A limit of a field: a number, or one that the operator configures. */
export type Bound = number | keyof TimelineLimits | `-${keyof TimelineLimits}`;

/** The number that a limit of a field stands for. */
export function boundOf(bound: Bound, limits: TimelineLimits): number {
  if (typeof bound === 'number') return bound;
  const [, minus, name] = /^(-?)(.*)$/.exec(bound)!;
  return (minus === '' ? 1 : -1) * limits[name as keyof TimelineLimits];
}

export const DEFAULT_TIMELINE_LIMITS: TimelineLimits = {
  maxTimelineSeconds: 4 * 3600,
  maxEntriesPerLane: 2000,
  maxItems: 500,
  maxRows: 50,
  maxLayersAtOnce: 100,
  maxTextLength: 20_000,
  maxOutputSide: 3840,
  maxOutputPixels: 8_300_000,
  maxOutputFps: 60,
};

/** How long a spotlight may hold its card up before the verdict. (C55) */
export const MAX_HOLD_SECONDS = 600;

/** How many points a volume may have. (C80) */
export const MAX_VOLUME_POINTS = 500;

/**
 * Seconds of a short: before and after its reveal, at least after the landing, and in total. A longer one begins
 * `beforeVerdict` before the verdict. (C52)
 */
export const SHORT_SECONDS = { before: 3, after: 5, afterLanding: 2.5, max: 60, beforeVerdict: 50 } as const;
