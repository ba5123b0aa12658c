import type { FrameRate, Frames, Range } from '../../time.ts';
import type { BoardScene } from '../board-scene.ts';
import type { PaintedKind, PaintedTypes } from '../layers/painted-layers.ts';
import type { PaintedRef } from '../layers/span.ts';
import type { RenderPlan } from '../render-plan.ts';

/** The events of a layer, as in a `PaintedRef`, without its entrance and exit. */
type PaintedState = Pick<PaintedRef, 'started' | 'settled' | 'changes'>;

/** A layer without events. */
export const STILL: PaintedState = { started: 0, settled: 0, changes: false };

/** The tools for keys; each is computed once for all chunks of a plan. */
export interface KeyTools {
  readonly plan: Pick<RenderPlan, 'totalFrames'>;
  digest(content: unknown): string;
  /** The result of the first `make` for this object. */
  once(layer: object, make: () => string): string;
  /** The look of the theme, its font among it; that font. */
  readonly theme: string;
  readonly font: string | null;
  /** null if no board is ever seen. */
  readonly board: {
    /** The still board in a part of a span, and its motion. */
    at(range: Range<Frames>): readonly unknown[];
    /** Whether pictures are scaled from a smaller copy. */
    readonly manySizes: boolean;
  } | null;
}

/** Everything about a kind of painted layer except its pixels: `paint/draw/layer/layer-painters.ts` makes those. */
export interface PaintedSpec<Kind extends PaintedKind> {
  /** Whether a veil dims it. Layers that no veil dims are in front of everything that boards hold up. (R19) */
  readonly isVeiled: boolean;
  /** Whether the picture under it is blurred in a theme of glass. (C47) */
  readonly isGlass: boolean;
  /** Whether it is an entry of the timeline, with a box that can be dragged. */
  readonly isEntry: boolean;
  /** Whether the video is cut into chunks where it changes. Texts are edited most, and such an edit must move no cut. */
  readonly dividesChunks: boolean;
  /** The frames of all events of the layers, except entrance and exit. */
  edges(layers: readonly PaintedTypes[Kind][], board: BoardScene | null): Iterable<Frames>;
  stateAt(layer: PaintedTypes[Kind], at: Frames, board: BoardScene | null): PaintedState;
  /**
   * Everything that decides the pixels in a range of a span, relative to the range's start, and nothing else; except
   * for the canvas, which is in every key. (R18)
   */
  key(layer: PaintedTypes[Kind], state: PaintedState, range: Range<Frames>, tools: KeyTools): unknown;
  /** All of its texts, anywhere in plain data. */
  written(layer: PaintedTypes[Kind], plan: Pick<RenderPlan, 'title' | 'board'>): unknown;
  /** Its part of a plan's text. */
  format(layers: readonly PaintedTypes[Kind][], rate: FrameRate): string[];
  formatRef(ref: PaintedRef): string;
}
