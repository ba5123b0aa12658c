import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_PIX_FMT_YUV420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_FRAME_CROPPING,
  AVCOL_SPC_BT709,
} from 'node-av/constants';
import { Rational } from 'node-av/lib';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { frames } from '../../../src/time.ts';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder, displayMatrix } from '../../fixtures/clips.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';
import { pixel } from './seen-colors.ts';

const limits = DEFAULT_MEDIA_LIMITS;
const [WIDTH, HEIGHT] = [128, 96];
const [TOP, BOTTOM, LEFT, RIGHT] = [8, 24, 16, 48];
/** Of what is seen: upper left, upper right, lower left, lower right. Around it is white. */
const QUARTERS = [40, 80, 120, 160];

/**
 * A clip of which the container shows 64×64 pixels, optionally rotated a quarter clockwise, with pixels twice as wide
 * as high.
 */
async function croppedClip(container: string, turned: boolean): Promise<string> {
  const file = join(clipFolder(), `cropped-${turned}.${container}`);
  const cropping = Buffer.alloc(16);
  for (const [n, value] of [TOP, BOTTOM, LEFT, RIGHT].entries()) cropping.writeUInt32LE(value, n * 4);
  await using writer = new ClipWriter(container, file);
  const aspect = new Rational(turned ? 2 : 1, 1);
  const track = await writer.add(
    'libx264',
    { preset: 'ultrafast', crf: 2, threads: 1 },
    (context) => {
      context.width = WIDTH;
      context.height = HEIGHT;
      context.pixelFormat = AV_PIX_FMT_YUV420P;
      context.timeBase = new Rational(1, 25);
      context.framerate = new Rational(25, 1);
      context.colorSpace = AVCOL_SPC_BT709;
      context.sampleAspectRatio = aspect;
    },
    (stream) => {
      stream.sampleAspectRatio = aspect;
      stream.codecpar.addCodedSideData(AV_PKT_DATA_FRAME_CROPPING, cropping);
      const matrix = displayMatrix({ quarterTurns: 1, mirrored: false });
      if (turned) stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
    },
  );
  await writer.start({});
  using frame = allocateFrame(WIDTH, HEIGHT, AV_PIX_FMT_YUV420P);
  for (const chroma of frame.data!.slice(1, 3)) chroma?.fill(128);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const seen = x >= LEFT && x < WIDTH - RIGHT && y >= TOP && y < HEIGHT - BOTTOM;
      const quarter = (y < TOP + 32 ? 0 : 2) + (x < LEFT + 32 ? 0 : 1);
      frame.data![0]![y * frame.linesize[0]! + x] = seen ? QUARTERS[quarter]! : 235;
    }
  }
  for (let n = 0n; n < 2n; n++) {
    frame.pts = n;
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}

/** The lumas of the four quarters of the canvas, as the clip fills it. */
async function quartersOf(file: string, size: { width: number; height: number }, entry = {}): Promise<number[]> {
  const { facts } = await probe(file, limits);
  const videos = [{ file_field: 'clip', start: 0, duration: 0.08, ...entry }];
  const planned = videoPlan({ clip: fileSource(file, facts) }, { videos }, { ...size, fps: 25 });
  const { rgba, width, height } = await renderStill({ ...planned, painter: NO_PAINTER, limits, frame: frames(0) });
  const places = [1 / 4, 3 / 4].flatMap((down) => [1 / 4, 3 / 4].map((across) => [across, down] as const));
  return places.map(([across, down]) => 16 + (pixel(rgba, width, width * across, height * down)[0] * 219) / 255);
}

function assertShades(seen: readonly number[], expected: readonly number[]): void {
  for (const [n, shade] of expected.entries())
    assert.ok(Math.abs(seen[n]! - shade) <= 4, `${seen} instead of ${expected}`);
}

for (const container of ['mp4', 'mov', 'matroska']) {
  test(`[R7] the part of a picture that the container cuts off is not shown: ${container}`, async () => {
    const file = await croppedClip(container, false);
    const { facts } = await probe(file, limits);
    assert.deepEqual([facts.width, facts.height], [64, 64]);
    assertShades(await quartersOf(file, { width: 64, height: 64 }), QUARTERS);
  });
}

test('[R7] [C18] a picture that is cropped by its container, has wide pixels, is rotated and is cropped again shows the right part', async () => {
  const file = await croppedClip('mp4', true);
  const { facts } = await probe(file, limits);
  // 64×64 of twice the width is 128×64, and is rotated.
  assert.deepEqual([facts.width, facts.height], [64, 128]);
  const [a, b, c, d] = QUARTERS as [number, number, number, number];
  assertShades(await quartersOf(file, { width: 64, height: 128 }), [c, a, d, b]);
  const crop = { crop_x: 0, crop_y: 0, crop_w: 0.5, crop_h: 0.5 };
  assertShades(await quartersOf(file, { width: 64, height: 128 }, crop), [c, c, c, c]);
});
