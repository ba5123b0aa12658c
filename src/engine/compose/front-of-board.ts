import type { Frame } from 'node-av/lib';
import { type Shift, type Veil, veilAbove } from '../../plan/overlay-painter.ts';
import type { Canvas } from '../../plan/render-plan.ts';
import type { Frames } from '../../time.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { Blender } from './blender.ts';
import { dimmedFrame } from './dimmed-frame.ts';
import { shiftInto } from './shifted-frame.ts';
import { groundLayer, type Stack, type StackLayer } from './stack.ts';
import { VeiledCanvas } from './veiled-canvas.ts';

/**
 * Everything in front of the board: the dim, the shake, clips above it, cards and texts. Keeps the picture below them.
 */
export class FrontOfBoard implements Disposable {
  readonly #size: Canvas;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  readonly #blender: Blender;
  /** Made when the first layer is in front of the veil. */
  #canvas: VeiledCanvas | null = null;
  /** Made when the first layer is in front of clips that are in front of the board. */
  #overClips: VeiledCanvas | null = null;
  #holdsBelow = false;

  constructor(canvas: Canvas, pool: FramePool) {
    this.#size = canvas;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, canvas.width, canvas.height);
    this.#blender = new Blender(pool);
  }

  /** Whether it keeps the part of the last frame that is below the veil. */
  get holdsBelow(): boolean {
    return this.#holdsBelow;
  }

  /** Keeps a picture as the part below; the frame stays the caller's. */
  put(below: Frame): void {
    this.#canvas ??= new VeiledCanvas(this.#size);
    this.#canvas.put(below);
    this.#holdsBelow = true;
  }

  /** Shows the picture below no more. */
  forget(): void {
    this.#holdsBelow = false;
  }

  restart(): void {
    this.#blender.restart();
  }

  /** The picture that was put, with the stack's layers in front of it. It belongs to the caller. */
  async show({ below, patch, veil, shake, clips, above }: Stack, n: Frames): Promise<Frame> {
    const behind = { patch: patch && { ...patch, under: below[0]!.frame }, veil };
    if (clips.length === 0 && shake === null) return this.#show(this.#canvas!, { ...behind, above });
    const board = this.#shaken(this.#show(this.#canvas!, { ...behind, above: [] }), shake);
    const lit = clips.length === 0 ? board : await this.#putClips(board, clips, veil, n);
    if (above.length === 0) return lit;
    this.#overClips ??= new VeiledCanvas(this.#size);
    try {
      this.#overClips.put(lit);
    } finally {
      this.#pool.give(lit);
    }
    return this.#show(this.#overClips, { patch: null, veil: null, above });
  }

  [Symbol.dispose](): void {
    this.#canvas = null;
    this.#overClips = null;
    this.#pictures[Symbol.dispose]();
    this.#blender[Symbol.dispose]();
  }

  #show(canvas: VeiledCanvas, shown: Parameters<VeiledCanvas['show']>[0]): Frame {
    return this.#pool.filled(this.#pictures.take(), (frame) => {
      canvas.show(shown, frame);
      tagBt709(frame);
    });
  }

  /** The picture out of its place; it is taken over. */
  #shaken(picture: Frame, shake: Shift | null): Frame {
    if (shake === null) return picture;
    try {
      return this.#pool.filled(this.#pictures.take(), (shaken) => {
        shiftInto(picture, shake, shaken);
        tagBt709(shaken);
      });
    } finally {
      this.#pool.give(picture);
    }
  }

  /** The clips in front of a board that is dimmed, which they take over. */
  async #putClips(board: Frame, clips: readonly StackLayer[], veil: Veil | null, n: Frames): Promise<Frame> {
    const taken = [board];
    try {
      const lit = clips.map((layer) => {
        if (veil === null) return { ...layer, still: false };
        const frame = dimmedFrame(layer.frame, veilAbove(veil), this.#pool);
        taken.push(frame);
        return { ...layer, frame, still: false };
      });
      return await this.#blender.blend([groundLayer(board, this.#size), ...lit], n);
    } finally {
      for (const frame of taken) this.#pool.give(frame);
    }
  }
}
