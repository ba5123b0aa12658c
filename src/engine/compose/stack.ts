import type { Frame } from 'node-av/lib';
import type { Overlay, Shift, Veil } from '../../plan/overlay-painter.ts';
import type { Rect } from '../../plan/rect.ts';
import type { Layer } from './blender.ts';

/** A layer, and whether it is of glass in such a theme. */
export type StackLayer = Layer & { readonly isGlass?: boolean };

/** The layers of a picture of the canvas, back to front; the first layer fills it. */
export interface Stack {
  readonly below: readonly StackLayer[];
  /** Replaces its part of the board, which then has one layer below it and none above. */
  readonly patch: Overlay | null;
  readonly veil: Veil | null;
  /** The shift of everything that is not in front of the board. (R30) */
  readonly shake: Shift | null;
  /** Clips in front of the board; they are part of `below` if layers are only blended. (C54) */
  readonly clips: readonly StackLayer[];
  readonly above: readonly Overlay[];
}

/** Whether there are only layers to blend. */
export function isPlain({ patch, veil, shake, above }: Pick<Stack, 'patch' | 'veil' | 'shake' | 'above'>): boolean {
  return patch === null && veil === null && shake === null && above.length === 0;
}

export function sameStack(stack: Stack, other: Stack): boolean {
  return (
    sameFrames(stack.below, other.below) &&
    sameFrames(stack.clips, other.clips) &&
    stack.patch === other.patch &&
    stack.veil === other.veil &&
    stack.shake === other.shake &&
    stack.above.length === other.above.length &&
    stack.above.every((overlay, index) => overlay === other.above[index])
  );
}

export function sameFrames(layers: readonly Layer[], others: readonly Layer[]): boolean {
  return layers.length === others.length && layers.every(({ frame }, index) => frame === others[index]!.frame);
}

/** Whether the first of the layers hides everything below them. */
export function isFilled([first]: readonly Layer[], { width, height }: Pick<Rect, 'width' | 'height'>): boolean {
  if (first === undefined || first.alpha || first.opacity !== null) return false;
  const { rect } = first;
  return rect.x === 0 && rect.y === 0 && rect.width === width && rect.height === height;
}

/** A picture that fills the canvas. */
export function groundLayer(frame: Frame, { width, height }: Pick<Rect, 'width' | 'height'>): Layer {
  return {
    frame,
    rect: { x: 0, y: 0, width, height },
    alpha: false,
    still: false,
    opacity: null,
    shift: null,
  };
}

/** Where two pictures with the same layers below may differ: wherever only one of them has something painted. */
export function changedParts(one: Pick<Stack, 'patch' | 'above'>, other: Pick<Stack, 'patch' | 'above'>): Rect[] {
  const [ours, theirs] = [one, other].map(({ patch, above }) => (patch === null ? above : [patch, ...above])) as [
    readonly Overlay[],
    readonly Overlay[],
  ];
  const only = [
    ...ours.filter((overlay) => !theirs.includes(overlay)),
    ...theirs.filter((overlay) => !ours.includes(overlay)),
  ];
  return only.map(({ rect }) => rect);
}
