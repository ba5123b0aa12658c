import type { Frame } from 'node-av/lib';
import type { Dim, Shift } from '../../plan/frame/frame-at.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { PaintedPicture } from '../../plan/model/painter.ts';
import type { Layer } from './blender.ts';
import { isSameDim } from './dimmed-canvas.ts';

/** A layer, whether the picture under it is blurred, and the dim that it is seen through. */
export type StackLayer = Layer & { readonly isGlass?: boolean; readonly dim?: Dim | null };

/** The layers of a picture of the canvas, back to front; the first layer fills it. */
export interface Stack {
  readonly below: readonly StackLayer[];
  /** A redrawn rectangle of the board, used only if the board is the top layer over one other. */
  readonly patch: PaintedPicture | null;
  readonly dim: Dim | null;
  /** The shift of everything that is not in front of the board. (R30) */
  readonly shake: Shift | null;
  /** Clips in front of the board; they are part of `below` if layers are only blended. (C54) */
  readonly clips: readonly StackLayer[];
  readonly above: readonly PaintedPicture[];
}

/** Whether there are only layers to blend. */
export function isPlain({ patch, dim, shake, above }: Pick<Stack, 'patch' | 'dim' | 'shake' | 'above'>): boolean {
  return patch === null && dim === null && shake === null && above.length === 0;
}

export function sameStack(stack: Stack, other: Stack): boolean {
  return (
    sameFrames(stack.below, other.below) &&
    sameFrames(stack.clips, other.clips) &&
    stack.patch === other.patch &&
    isSameDim(stack.dim, other.dim) &&
    stack.shake?.x === other.shake?.x &&
    stack.shake?.y === other.shake?.y &&
    stack.above.length === other.above.length &&
    stack.above.every((picture, index) => picture === other.above[index])
  );
}

export function sameFrames(layers: readonly Layer[], others: readonly Layer[]): boolean {
  return layers.length === others.length && layers.every(({ frame }, index) => frame === others[index]!.frame);
}

/** Whether a layer hides everything below it. */
export function fills({ rect, alpha, opacity }: Layer, { width, height }: Pick<Rect, 'width' | 'height'>): boolean {
  return !alpha && opacity === null && rect.x === 0 && rect.y === 0 && rect.width === width && rect.height === height;
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
    readonly PaintedPicture[],
    readonly PaintedPicture[],
  ];
  const only = [
    ...ours.filter((picture) => !theirs.includes(picture)),
    ...theirs.filter((picture) => !ours.includes(picture)),
  ];
  return only.map(({ rect }) => rect);
}
