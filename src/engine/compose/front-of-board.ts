import type { Frame } from 'node-av/lib';
import type { Dim, Shift } from '../../plan/frame/frame-at.ts';
import type { Canvas } from '../../plan/model/canvas.ts';
import type { Frames } from '../../time.ts';
import { yuvOf } from '../color/painted-color.ts';
import { tagBt709 } from '../color/tag-bt709.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';
import { PicturePool } from '../libav/picture-pool.ts';
import { Blender } from './blender.ts';
import { DimmedCanvas } from './dimmed-canvas.ts';
import { groundLayer, type Stack, type StackLayer } from './stack.ts';

/**
 * Everything in front of the board: the dim, the shake, clips above it, cards and texts. Keeps the picture below them.
 */
export class FrontOfBoard implements Disposable {
  readonly #size: Canvas;
  readonly #pool: FramePool;
  readonly #pictures: PicturePool;
  readonly #blender: Blender;
  /** Made when the first layer is in front of the dim. */
  #canvas: DimmedCanvas | null = null;
  /** Made when the first layer is in front of clips that are in front of the board. */
  #overClips: DimmedCanvas | null = null;
  #holdsBelow = false;

  constructor(canvas: Canvas, pool: FramePool) {
    this.#size = canvas;
    this.#pool = pool;
    this.#pictures = new PicturePool(pool, canvas.width, canvas.height);
    this.#blender = new Blender(pool);
  }

  /** Whether it keeps the part of the last frame that is below the dim. */
  get holdsBelow(): boolean {
    return this.#holdsBelow;
  }

  /** Keeps a picture as the part below; the frame stays the caller's. */
  put(below: Frame): void {
    this.#canvas ??= new DimmedCanvas(this.#size);
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
  async show({ below, patch, dim, shake, clips, above }: Stack, n: Frames): Promise<Frame> {
    const behind = { patch: patch && { ...patch, under: below[0]!.frame }, dim };
    if (clips.length === 0 && shake === null) return this.#show(this.#canvas!, { ...behind, above });
    const board = this.#shaken(this.#show(this.#canvas!, { ...behind, above: [] }), shake);
    const lit = clips.length === 0 ? board : await this.#putClips(board, clips, n);
    if (above.length === 0) return lit;
    this.#overClips ??= new DimmedCanvas(this.#size);
    try {
      this.#overClips.put(lit);
    } finally {
      this.#pool.give(lit);
    }
    return this.#show(this.#overClips, { patch: null, dim: null, above });
  }

  [Symbol.dispose](): void {
    this.#canvas = null;
    this.#overClips = null;
    this.#pictures[Symbol.dispose]();
    this.#blender[Symbol.dispose]();
  }

  #show(canvas: DimmedCanvas, shown: Parameters<DimmedCanvas['show']>[0]): Frame {
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

  /** The clips in front of the board, which is taken over. */
  async #putClips(board: Frame, clips: readonly StackLayer[], n: Frames): Promise<Frame> {
    const taken = [board];
    try {
      const lit = clips.map((layer) => {
        if (layer.dim == null) return { ...layer, still: false };
        const frame = dimmedFrame(layer.frame, layer.dim, this.#pool);
        taken.push(frame);
        return { ...layer, frame, still: false };
      });
      return await this.#blender.blend([groundLayer(board, this.#size), ...lit], n);
    } finally {
      for (const frame of taken) this.#pool.give(frame);
    }
  }
}

/** Copies a picture in yuv420p into another of its size, shifted by even pixels; the uncovered edge repeats. (R30) */
function shiftInto(from: Frame, { x, y }: Shift, to: Frame): void {
  const { width, height } = from;
  for (const [plane, source] of from.data!.slice(0, 3).entries()) {
    const shift = plane === 0 ? 0 : 1;
    const [columns, rows] = [width >> shift, height >> shift];
    const [right, down] = [x >> shift, y >> shift];
    const [fromStride, toStride] = [from.linesize[plane]!, to.linesize[plane]!];
    const target = to.data![plane]!;
    const moved = columns - Math.abs(right);
    for (let row = 0; row < rows; row += 1) {
      const line = Math.min(rows - 1, Math.max(0, row - down)) * fromStride;
      const at = row * toStride;
      target.set(
        source.subarray(line + Math.max(0, -right), line + Math.max(0, -right) + moved),
        at + Math.max(0, right),
      );
      if (right > 0) target.fill(source[line]!, at, at + right);
      if (right < 0) target.fill(source[line + columns - 1]!, at + moved, at + columns);
    }
  }
}

/** A copy of a picture in yuv420p or yuva420p, dimmed. It belongs to the caller. */
export function dimmedFrame(frame: Frame, { color, alpha }: Dim, pool: FramePool): Frame {
  return pool.filled(pool.share(frame), (copy) => {
    mustSucceed(copy.makeWritable(), 'av_frame_make_writable');
    const through = Math.round((1 - alpha) * 256);
    for (const [plane, over] of yuvOf(color).entries()) {
      const added = Math.round(over * (256 - through)) + 128;
      const seen = Uint8Array.from({ length: 256 }, (_, value) => (value * through + added) >> 8);
      const { buffer, byteOffset, byteLength } = copy.data![plane]!;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      for (let i = 0; i < bytes.length; i += 1) bytes[i] = seen[bytes[i]!]!;
    }
  });
}
