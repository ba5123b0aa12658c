import type { Frames, Range } from '../../time.ts';
import type { PaintedKind } from './painted-layers.ts';

/** A run of frames with the same set of layers, back to front. (R6, R9) */
export interface Span extends Range<Frames> {
  readonly layers: readonly LayerRef[];
}

export type LayerRef = ClipRef | PaintedRef;

interface ClipRef {
  readonly kind: 'clip';
  /** Of `RenderPlan.clips`. */
  readonly index: number;
}

export interface PaintedRef {
  readonly kind: PaintedKind;
  /** Of `RenderPlan.painted[kind]`. */
  readonly index: number;
  /** How many of its events have begun, and how many of the first are over; those between are moving. */
  readonly started: number;
  readonly settled: number;
  /** Whether it may look different at every frame of the span. */
  readonly changes: boolean;
}
