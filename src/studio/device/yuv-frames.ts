import { CONVERTED_PX, type PaintedKernel, paintedKernel } from '../../engine/simd/painted-kernel.ts';
import { type WasmInstance, wasmInstances } from '../../engine/simd/wasm-program.ts';
import type { Context } from '../preview/canvas/browser-surface.ts';

const instances = wasmInstances<PaintedKernel>(paintedKernel);
const BT709: VideoColorSpaceInit = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709', fullRange: false };

/**
 * A canvas as frames in BT.709, limited range, 4:2:0, by the kernel of the service. A browser makes full-range frames of a
 * canvas.
 */
export class YuvFrames {
  readonly #width: number;
  readonly #height: number;
  /** Rows in memory are longer than those of the canvas where its width is not a multiple of what the kernel converts. */
  readonly #stride: number;
  readonly #at: Readonly<Record<'rgba' | 'y' | 'u' | 'v' | 'a', number>>;
  readonly #instance: WasmInstance<PaintedKernel>;

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#width = width;
    this.#height = height;
    this.#stride = Math.ceil(width / CONVERTED_PX) * CONVERTED_PX;
    const px = this.#stride * height;
    this.#at = { rgba: 0, y: 4 * px, u: 5 * px, v: 5.25 * px, a: 5.5 * px };
    this.#instance = instances(6.5 * px);
  }

  /** Converts what the canvas shows. */
  read(context: Context): void {
    const [width, height, stride, at] = [this.#width, this.#height, this.#stride, this.#at];
    const { memory, exports } = this.#instance;
    const { data } = context.getImageData(0, 0, width, height);
    if (stride === width) memory.set(data, at.rgba);
    else {
      for (let row = 0; row < height; row += 1) {
        memory.set(data.subarray(4 * width * row, 4 * width * (row + 1)), at.rgba + 4 * stride * row);
      }
    }
    for (let row = 0; row < height; row += 2) {
      const rgba = at.rgba + 4 * stride * row;
      const [luma, chroma] = [stride * row, (stride * row) / 4];
      exports.convertRows(
        ...([rgba, rgba + 4 * stride, 4 * stride, at.y + luma] as const),
        ...([at.a + luma, stride, at.u + chroma, at.v + chroma] as const),
      );
    }
  }

  /** A frame of what was read last, which the caller closes. */
  frame(timestamp: number, duration: number): VideoFrame {
    const { y, u, v, a } = this.#at;
    return new VideoFrame(this.#instance.memory.subarray(y, a), {
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
}
