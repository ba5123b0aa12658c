import { yuvOf } from '../../engine/color/painted-color.ts';
import {
  BLENDED_PX,
  DITHER_STRIDE,
  EVEN_ROUNDING,
  type PictureKernels,
  pictureKernels,
} from '../../engine/simd/picture-kernels.ts';
import { type WasmInstance, wasmInstances } from '../../engine/simd/wasm-program.ts';
import type { Rect } from '../../plan/model/canvas.ts';
import type { Context } from '../preview/canvas/browser-surface.ts';
import type { Planes } from './film-planes.ts';

const instances = wasmInstances<PictureKernels>(pictureKernels);
const BT709: VideoColorSpaceInit = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: false };

/** What was read of a canvas, kept from frame to frame: what is below the others, and what is above. */
export type ReadLayer = 'below' | 'above';

/**
 * A frame in BT.709, limited range, 4:2:0, to which canvases are converted by the kernel of the service. A browser makes
 * full-range frames of a canvas.
 */
export class YuvFrames {
  readonly #width: number;
  readonly #height: number;
  /** Rows in memory are longer than those of the canvas where its width is not a multiple of what the kernel blends. */
  readonly #stride: number;
  readonly #at: Readonly<Record<'y' | 'u' | 'v' | 'end' | 'rounding' | ReadLayer, number>>;
  readonly #instance: WasmInstance<PictureKernels>;

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#width = width;
    this.#height = height;
    this.#stride = Math.ceil(width / BLENDED_PX) * BLENDED_PX;
    const px = this.#stride * height;
    const end = 1.5 * px;
    const rounding = Math.ceil(end / 16) * 16;
    const below = rounding + 2 * DITHER_STRIDE;
    this.#at = { y: 0, u: px, v: 1.25 * px, end, rounding, below, above: below + 4 * px };
    this.#instance = instances(below + 8 * px);
    new Uint16Array(this.#instance.memory.buffer, rounding, DITHER_STRIDE).fill(EVEN_ROUNDING);
  }

  /** Takes what a canvas shows, for `blend`. */
  read(layer: ReadLayer, context: Context): void {
    const [width, height, stride] = [this.#width, this.#height, this.#stride];
    const { data } = context.getImageData(0, 0, width, height);
    if (layer === 'above') multiplyByAlpha(data);
    const { memory } = this.#instance;
    const at = this.#at[layer];
    if (stride === width) memory.set(data, at);
    else {
      for (let row = 0; row < height; row += 1) {
        memory.set(data.subarray(4 * width * row, 4 * width * (row + 1)), at + 4 * stride * row);
      }
    }
  }

  /** Puts what was read over the frame. */
  blend(layer: ReadLayer): void {
    const [stride, at] = [this.#stride, this.#at];
    for (let row = 0; row < this.#height; row += 2) {
      const rgba = at[layer] + 4 * stride * row;
      const [luma, chroma] = [stride * row, (stride * row) / 4];
      this.#instance.exports.blendRows(
        ...([rgba, rgba + 4 * stride, 4 * stride, at.y + luma, stride] as const),
        ...([at.u + chroma, at.v + chroma, at.rounding] as const),
      );
    }
  }

  /** Puts samples into the frame, at an even place. */
  put({ width, height, y, u, v }: Planes, place: Pick<Rect, 'x' | 'y'>): void {
    const { memory } = this.#instance;
    for (const { at, stride, shift, bytes } of this.#planes({ y, u, v })) {
      const [columns, rows] = [width >> shift, height >> shift];
      const start = at + (place.y >> shift) * stride + (place.x >> shift);
      for (let row = 0; row < rows; row += 1) {
        memory.set(bytes.subarray(row * columns, (row + 1) * columns), start + row * stride);
      }
    }
  }

  /** Fills an even rectangle with a colour (`#rrggbb`). */
  fill(rect: Rect, color: string): void {
    const { memory } = this.#instance;
    const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    const [y, u, v] = yuvOf(channels as unknown as [number, number, number]).map((sample) => Math.round(sample));
    for (const { at, stride, shift, bytes: sample } of this.#planes({ y: y!, u: u!, v: v! })) {
      for (let row = rect.y >> shift; row < (rect.y + rect.height) >> shift; row += 1) {
        const start = at + row * stride;
        memory.fill(sample, start + (rect.x >> shift), start + ((rect.x + rect.width) >> shift));
      }
    }
  }

  /** The frame, which the caller closes. */
  frame(timestamp: number, duration: number): VideoFrame {
    const { y, u, v, end } = this.#at;
    return new VideoFrame(this.#instance.memory.subarray(y, end), {
      format: 'I420',
      codedWidth: this.#width,
      codedHeight: this.#height,
      layout: [
        { offset: 0, stride: this.#stride },
        { offset: u - y, stride: this.#stride / 2 },
        { offset: v - y, stride: this.#stride / 2 },
      ],
      timestamp,
      duration,
      colorSpace: BT709,
    });
  }

  #planes<T>({ y, u, v }: { readonly y: T; readonly u: T; readonly v: T }) {
    const stride = this.#stride;
    return [
      { at: this.#at.y, stride, shift: 0, bytes: y },
      { at: this.#at.u, stride: stride / 2, shift: 1, bytes: u },
      { at: this.#at.v, stride: stride / 2, shift: 1, bytes: v },
    ];
  }
}

/** The kernel wants colours multiplied by their alpha, and browsers give them out without. */
function multiplyByAlpha(rgba: Uint8ClampedArray): void {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.length / 4);
  for (let index = 0; index < pixels.length; index += 1) {
    const pixel = pixels[index]!;
    const alpha = pixel >>> 24;
    if (alpha === 0 || alpha === 255) continue;
    for (let at = 4 * index; at < 4 * index + 3; at += 1) rgba[at] = Math.round((rgba[at]! * alpha) / 255);
  }
}
