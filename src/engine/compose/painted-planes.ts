import type { Frame } from 'node-av/lib';
import type { Overlay } from '../../plan/overlay-painter.ts';
import type { Rect } from '../../plan/rect.ts';
import { CONVERTED_PX, type PaintedKernel, paintedKernel } from '../simd/painted-kernel.ts';
import { type WasmInstance, wasmInstances } from '../simd/wasm-instance.ts';
import { copyRows, type Rows } from './copy-rows.ts';

/** So few rows at a time that they stay in the processor's cache. Even. */
const BAND_ROWS = 64;

const instances = wasmInstances<PaintedKernel>(paintedKernel);
/** The last converter, which is reused for all pictures that are no wider. */
let converter: { readonly width: number; readonly instance: WasmInstance<PaintedKernel> } | null = null;

/**
 * Writes a painted picture into a yuva420p frame whose corner is at `corner` of the canvas, replacing its pixels. It
 * must be inside the frame, on even edges.
 *
 * The four pixels that share a chroma sample are weighted by their alpha, or invisible colours would bleed into the
 * edges. Alpha is averaged in the same way when layers are blended.
 */
export function writePainted(frame: Frame, corner: Pick<Rect, 'x' | 'y'>, { rect, rgba }: Overlay): void {
  const { width, height } = rect;
  const planes = planesAt(frame, rect.x - corner.x, rect.y - corner.y);
  const stride = Math.ceil(width / CONVERTED_PX) * CONVERTED_PX;
  if (converter === null || converter.width < stride) {
    converter = { width: stride, instance: instances(BAND_ROWS * stride * BYTES_PX) };
  }
  const { memory, exports } = converter.instance;
  const [y, a, u] = [4, 5, 6].map((bytes) => BAND_ROWS * stride * bytes) as [number, number, number];
  const v = u + (BAND_ROWS * stride) / 4;
  for (let top = 0; top < height; top += BAND_ROWS) {
    const rows = Math.min(BAND_ROWS, height - top);
    copyRows({ bytes: rgba, at: top * width * 4, stride: width * 4 }, held(0, stride * 4), width * 4, rows);
    for (let row = 0; row < rows; row += 2) {
      const [pixels, half] = [row * stride * 4, (row * stride) / 4];
      const end = pixels + stride * 4;
      exports.convertRows(pixels, end, stride * 4, y + row * stride, a + row * stride, stride, u + half, v + half);
    }
    for (const [index, from] of [y, u, v, a].entries()) {
      const plane = planes[index]!;
      const shift = index === 1 || index === 2 ? 1 : 0;
      const to = { ...plane, at: plane.at + (top >> shift) * plane.stride };
      copyRows(held(from, stride >> shift), to, width >> shift, rows >> shift);
    }
  }

  function held(at: number, step: number): Rows {
    return { bytes: memory, at, stride: step };
  }
}

/** A pixel's, its luma and alpha, and its part of the differences. */
const BYTES_PX = 4 + 2 + 0.5;

/** Luma, the two differences, and alpha. As plain arrays of bytes: through a `Buffer` it takes longer. */
function planesAt(frame: Frame, x: number, y: number): Rows[] {
  return frame.data!.map(({ buffer, byteOffset, byteLength }, plane): Rows => {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const stride = frame.linesize[plane]!;
    const isHalved = plane === 1 || plane === 2;
    return { bytes, stride, at: isHalved ? (y >> 1) * stride + (x >> 1) : y * stride + x };
  });
}

/**
 * The overlay on even edges, with transparent pixels added where needed: in 4:2:0, a picture at an odd place would be moved by a
 * pixel.
 */
export function evenOverlay(overlay: Overlay): Overlay {
  const { rect, rgba } = overlay;
  const left = rect.x % 2 === 0 ? 0 : 1;
  const top = rect.y % 2 === 0 ? 0 : 1;
  const width = left + rect.width + ((left + rect.width) % 2);
  const height = top + rect.height + ((top + rect.height) % 2);
  if (width === rect.width && height === rect.height) return overlay;
  const padded = new Uint8Array(width * height * 4);
  const rowBytes = rect.width * 4;
  for (let row = 0; row < rect.height; row += 1) {
    const from = row * rowBytes;
    padded.set(rgba.subarray(from, from + rowBytes), ((top + row) * width + left) * 4);
  }
  return { rect: { x: rect.x - left, y: rect.y - top, width, height }, rgba: padded };
}
