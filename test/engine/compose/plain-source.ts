import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P, AVCOL_RANGE_MPEG, AVCOL_SPC_BT709 } from 'node-av/constants';
import { avGetPixFmtName } from 'node-av/lib';
import { pictureColor } from '../../../src/engine/color/picture-color.ts';
import type { FramePool } from '../../../src/engine/libav/frame-pool.ts';
import { mustSucceed } from '../../../src/engine/libav/libav-call.ts';
import type { SourcePicture } from '../../../src/engine/picture/source-frames.ts';

const SIDE = 64;

/** A decoded grey picture of 64×64 with the requested alpha; null: without an alpha plane. */
export function plainSource(pool: FramePool, alpha: number | null): SourcePicture {
  const frame = pool.take();
  frame.width = SIDE;
  frame.height = SIDE;
  frame.format = alpha === null ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUVA420P;
  frame.colorSpace = AVCOL_SPC_BT709;
  frame.colorRange = AVCOL_RANGE_MPEG;
  mustSucceed(frame.getBuffer(), 'av_frame_get_buffer');
  for (const [plane, bytes] of frame.data!.entries()) bytes.fill(plane === 3 ? alpha! : 128);
  const pixelFormatName = avGetPixFmtName(frame.format)!;
  const facts = {
    ...{ width: SIDE, height: SIDE, pixelFormat: frame.format, pixelFormatName },
    visible: { x: 0, y: 0, width: SIDE, height: SIDE },
    orientation: { quarterTurns: 0, mirrored: false },
    sampleAspect: { num: 1, den: 1 },
    upright: { width: SIDE, height: SIDE },
    color: pictureColor(frame, pixelFormatName),
    ...{ interlaced: false, topFieldFirst: false, alpha: alpha !== null },
    timeBase: { num: 1, den: 25 },
  } as const;
  return { clip: 0, frame, facts, field: 'first', shared: null };
}
