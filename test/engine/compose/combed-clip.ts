import { join } from 'node:path';
import { AV_FRAME_FLAG_INTERLACED, AV_FRAME_FLAG_TOP_FIELD_FIRST, AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { Rational } from 'node-av/lib';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';

/** Frames whose lines come from two moments, whether or not they are marked as interlaced. */
export interface CombedOptions {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly interlaced: (n: number) => boolean;
  readonly topFieldFirst?: boolean;
  /** The luma of the first field of frame `n`, and of its second. */
  readonly first: (n: number) => number;
  readonly second: (n: number) => number;
}

let made = 0;

/** A lossless clip of 25 frames a second, each with its own interlacing flag. */
export async function combedClip(options: CombedOptions): Promise<string> {
  const { width, height, topFieldFirst = true } = options;
  const file = join(clipFolder(), `combed-${made++}.mkv`);
  await using writer = new ClipWriter('matroska', file);
  const track = await writer.add('ffv1', {}, (context) => {
    context.width = width;
    context.height = height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, 25);
    context.framerate = new Rational(25, 1);
  });
  await writer.start({});
  using frame = allocateFrame(width, height, AV_PIX_FMT_YUV420P);
  for (const chroma of frame.data!.slice(1, 3)) chroma.fill(128);
  for (let n = 0; n < options.frames; n++) {
    const shades = [options.first(n), options.second(n)];
    const stride = frame.linesize[0]!;
    for (let line = 0; line < height; line++) {
      const shade = shades[(line % 2 === 0) === topFieldFirst ? 0 : 1]!;
      frame.data![0]!.fill(shade, line * stride, line * stride + width);
    }
    frame.clearFlags(AV_FRAME_FLAG_INTERLACED, AV_FRAME_FLAG_TOP_FIELD_FIRST);
    if (options.interlaced(n)) frame.setFlags(AV_FRAME_FLAG_INTERLACED);
    if (options.interlaced(n) && topFieldFirst) frame.setFlags(AV_FRAME_FLAG_TOP_FIELD_FIRST);
    frame.pts = BigInt(n);
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}
