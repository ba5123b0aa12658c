import type { Frame } from 'node-av/lib';
import { blurUnder, glassCellPx } from '../../paint/pixels/glass-blur.ts';
import type { Rect } from '../../plan/rect.ts';
import type { Theme } from '../../plan/theme.ts';
import type { FramePool } from '../libav/frame-pool.ts';
import { mustSucceed } from '../libav/libav-call.ts';

/** A board on glass: its frame in yuva420p, and its place. */
interface GlassBoard {
  readonly frame: Frame;
  readonly rect: Rect;
}

/** The alpha of a panel in 8 bits; even an invisible panel has edges. */
const MIN_ALPHA = 8;

/** The picture under boards of glass, blurred where they are, as a new frame that belongs to the caller. (C47) */
export function glassFrame(under: Frame, boards: readonly GlassBoard[], theme: Theme, pool: FramePool): Frame {
  const frame = pool.share(under);
  mustSucceed(frame.makeWritable(), 'av_frame_make_writable');
  const cellPx = glassCellPx(frame);
  const planes = bytesOf(frame);
  for (const { frame: board, rect } of boards) {
    const alpha = bytesOf(board)[3]!;
    const mask = {
      data: alpha,
      start: 0,
      stride: board.linesize[3]!,
      step: 1,
      full: Math.max(MIN_ALPHA, Math.round(theme.panelOpacity * 255)),
    };
    for (let plane = 0; plane < 3; plane += 1) {
      const halves = plane === 0 ? 1 : 2;
      const stride = frame.linesize[plane]!;
      const start = (rect.y / halves) * stride + rect.x / halves;
      const size = { width: rect.width / halves, height: rect.height / halves };
      blurUnder({ data: planes[plane]!, start, stride, step: 1 }, size, cellPx / halves, mask, halves);
    }
  }
  return frame;
}

function bytesOf(frame: Frame): Uint8Array[] {
  return frame.data!.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}
