import type { SKRSContext2D } from '@napi-rs/canvas';
import { AV_PIX_FMT_RGBA, AVCOL_RANGE_JPEG, AVCOL_SPC_RGB } from 'node-av/constants';
import { Frame } from 'node-av/lib';
import { tagBt709 } from '../../src/engine/color/tag-bt709.ts';
import { RGB_TO_BT709 } from '../../src/engine/color/to-bt709.ts';
import { VideoEncoder } from '../../src/engine/encode/video-encoder.ts';
import { FrameGraph } from '../../src/engine/libav/frame-graph.ts';
import { type FrameRate, frames } from '../../src/time.ts';
import { MovieFile } from './movie-file.ts';
import { SoundEncoder } from './sound-encoder.ts';
import type { Stereo } from './stereo.ts';
import { createSurface } from './surface.ts';

/** A clip, drawn frame by frame. */
export interface DrawnClip {
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
  readonly frames: number;
  /** Draws a whole frame; the context still holds the one before it. */
  readonly draw: (context: SKRSContext2D, frame: number) => void;
  readonly sound: Stereo;
}

/** Whom to tell how many frames are done, and who may end it all. */
export interface ClipWatch {
  readonly signal?: AbortSignal | undefined;
  readonly onFrame?: ((done: number) => void) | undefined;
}

/** Fast to make, and near enough to lossless that gradients stay smooth. */
const ENCODER = { preset: 'ultrafast', crf: 15, keyframeEvery: frames(60) } as const;

/** Draws a clip into an MP4 file: H.264 and AAC. */
export async function writeClip(file: string, clip: DrawnClip, { signal, onFrame }: ClipWatch = {}): Promise<void> {
  const { width, height, rate } = clip;
  using video = await VideoEncoder.open({ canvas: { width, height, background: '#000000' }, rate, encoder: ENCODER });
  using sound = await SoundEncoder.open(clip.sound);
  using graph = await FrameGraph.open(
    [{ width, height, pixelFormat: AV_PIX_FMT_RGBA, matrix: AVCOL_SPC_RGB, range: AVCOL_RANGE_JPEG }],
    `[0]${RGB_TO_BT709},format=yuv420p[out]`,
  );
  using movie = await MovieFile.open(file, [video.context, sound.context]);
  using converted = new Frame();
  converted.alloc();
  const { canvas, context } = createSurface(width, height);
  const encode = async (pixels: Buffer, n: number) => {
    using drawn = Frame.fromVideoBuffer(pixels, { width, height, format: AV_PIX_FMT_RGBA });
    drawn.colorSpace = AVCOL_SPC_RGB;
    drawn.colorRange = AVCOL_RANGE_JPEG;
    graph.feed(0, drawn, n);
    await graph.pull(converted);
    tagBt709(converted);
    await video.encode(converted, n, 'any', (packet) => movie.write(0, packet));
    converted.unref();
    await sound.encodeUntil(((n + 1) * rate.den) / rate.num, (packet) => movie.write(1, packet));
  };
  // While one frame is encoded on other threads, the next is drawn on this one.
  let encoding: Promise<void> = Promise.resolve();
  try {
    for (let n = 0; n < clip.frames; n++) {
      clip.draw(context, n);
      const pixels = canvas.data();
      await encoding;
      signal?.throwIfAborted();
      onFrame?.(n);
      encoding = encode(pixels, n);
    }
  } finally {
    await encoding;
  }
  await video.finish((packet) => movie.write(0, packet));
  await sound.finish((packet) => movie.write(1, packet));
  await movie.finish();
}
