import { AV_PIX_FMT_RGBA, AVCOL_RANGE_JPEG, AVCOL_SPC_RGB } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import type { FrameShape } from './frame-graph.ts';
import { mustSucceed } from './libav-call.ts';

/** The frame properties of painted pictures of a size. */
export function rgbaShape(width: number, height: number): FrameShape {
  return { width, height, pixelFormat: AV_PIX_FMT_RGBA, matrix: AVCOL_SPC_RGB, range: AVCOL_RANGE_JPEG };
}

/**
 * Pixels (row by row, no padding) as a new frame, which belongs to the caller.
 *
 * Copied by hand: node-av's `Frame.fromVideoBuffer` was seen to read the pixels only when the graph runs, when the
 * garbage collector may already have freed them.
 */
export function rgbaFrame(rgba: Uint8Array, width: number, height: number): Frame {
  const frame = new Frame();
  frame.alloc();
  frame.width = width;
  frame.height = height;
  frame.format = AV_PIX_FMT_RGBA;
  frame.colorSpace = AVCOL_SPC_RGB;
  frame.colorRange = AVCOL_RANGE_JPEG;
  mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
  const plane = frame.data![0]!;
  const stride = frame.linesize[0]!;
  const rowBytes = width * 4;
  for (let row = 0; row < height; row += 1) {
    plane.set(rgba.subarray(row * rowBytes, (row + 1) * rowBytes), row * stride);
  }
  return frame;
}
