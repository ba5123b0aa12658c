import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_PIX_FMT_GRAY8,
  AV_PIX_FMT_YUV420P,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Rational } from 'node-av/lib';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { openInput } from '../../../src/engine/input/open-input.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { frames } from '../../../src/time.ts';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';
import type { Rgb } from '../compose/patch-clip.ts';
import { assertNear, pixel } from '../compose/seen-colors.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';

const limits = DEFAULT_MEDIA_LIMITS;
const SIZE = { width: 64, height: 64 };
/** Ten frames a second; what each is like: its luma, and the opacity of its left half. The right half is opaque. */
const LUMAS = [200, 170, 140, 110];
const OPACITIES = [0, 64, 128, 255];

/** A generated animated AVIF with its alpha as a separate track; without a mask if that is null. */
async function animatedAvif(name: string, opacities: readonly (number | null)[] | null): Promise<string> {
  process.env.SVT_LOG = '0';
  const file = join(clipFolder(), name);
  await using writer = new ClipWriter('avif', file);
  const planes: (readonly (number | null)[])[] = opacities === null ? [LUMAS] : [LUMAS, opacities];
  const tracks = [];
  for (const plane of planes) {
    const alpha = plane !== LUMAS;
    const track = await writer.add(
      'libsvtav1',
      { preset: 8, crf: 4, 'svtav1-params': 'lp=1' },
      (context) => {
        context.width = SIZE.width;
        context.height = SIZE.height;
        context.pixelFormat = AV_PIX_FMT_YUV420P;
        context.timeBase = new Rational(1, 10);
        context.framerate = new Rational(10, 1);
        context.colorSpace = AVCOL_SPC_BT709;
        context.colorRange = alpha ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
      },
      (stream) => {
        // The muxer takes a second track for alpha if it is grey, as far as it knows.
        if (alpha) stream.codecpar.format = AV_PIX_FMT_GRAY8;
      },
    );
    tracks.push({ track, plane, alpha });
  }
  await writer.start({});
  using frame = allocateFrame(SIZE.width, SIZE.height, AV_PIX_FMT_YUV420P);
  for (const n of LUMAS.keys()) {
    for (const { track, plane, alpha } of tracks) {
      const value = plane[n] ?? null;
      if (value === null) continue;
      frame.makeWritable();
      const [luma, ...chroma] = frame.data!;
      for (let y = 0; y < SIZE.height; y++) {
        const row = y * frame.linesize[0]!;
        luma!.fill(value, row, row + SIZE.width);
        if (alpha) luma!.fill(255, row + SIZE.width / 2, row + SIZE.width);
      }
      for (const part of chroma) part?.fill(128);
      frame.pts = BigInt(n);
      await writer.encode(track, frame);
    }
  }
  await writer.finish();
  return file;
}

/** The grey of a luma in limited range. */
const grey = (luma: number) => ((luma - 16) * 255) / 219;

test('[R7] an animated AVIF with alpha shows its pictures, each with its own mask', async () => {
  const file = await animatedAvif('masked.avif', OPACITIES);
  const { kind, facts, video } = await probe(file, limits);
  assert.deepEqual([kind, facts.alpha, facts.width, video!.frames], ['animation', true, 64, LUMAS.length]);
  const videos = [{ file_field: 'clip', start: 0, duration: 1 }];
  const planned = videoPlan({ clip: fileSource(file, facts) }, { videos }, { ...SIZE, fps: 10, background: '#000000' });
  // Backwards at the end: a frame does not depend on where reading started.
  for (const n of [0, 1, 2, 3, 5, 1]) {
    const still = await renderStill({ ...planned, painter: NO_PAINTER, limits, frame: frames(n) });
    const [shade, opacity] = [grey(LUMAS[n % 4]!), OPACITIES[n % 4]! / 255];
    const expected = [shade * opacity, shade].map((value): Rgb => [value, value, value]);
    assertNear(
      [16, 48].map((x) => pixel(still.rgba, 64, x, 32)),
      expected,
      6,
    );
  }
});

test('[R7] if the masks of an animated AVIF end early, the last one stays', async () => {
  const file = await animatedAvif('short.avif', OPACITIES.slice(0, 3));
  const { facts } = await probe(file, limits);
  const videos = [{ file_field: 'clip', start: 0, duration: 1 }];
  const planned = videoPlan({ clip: fileSource(file, facts) }, { videos }, { ...SIZE, fps: 10, background: '#000000' });
  for (const n of [3, 0]) {
    const still = await renderStill({ ...planned, painter: NO_PAINTER, limits, frame: frames(n) });
    const shade = grey(LUMAS[n]!) * (OPACITIES[Math.min(n, 2)]! / 255);
    assertNear([pixel(still.rgba, 64, 16, 32)], [[shade, shade, shade]], 6);
  }
});

test('[R7] masks of an animated AVIF have times: if there are fewer than pictures, each lasts longer', async () => {
  const file = await animatedAvif('sparse.avif', [0, null, 128, null]);
  const { facts } = await probe(file, limits);
  const videos = [{ file_field: 'clip', start: 0, duration: 0.4 }];
  const planned = videoPlan({ clip: fileSource(file, facts) }, { videos }, { ...SIZE, fps: 10, background: '#000000' });
  for (const n of [0, 1, 2, 3, 1]) {
    const still = await renderStill({ ...planned, painter: NO_PAINTER, limits, frame: frames(n) });
    const shade = grey(LUMAS[n]!) * (n < 2 ? 0 : 128 / 255);
    assertNear([pixel(still.rgba, 64, 16, 32)], [[shade, shade, shade]], 6);
  }
});

test('[R7] an animated AVIF plays even if its masks take more bytes than its pictures', async () => {
  const file = await animatedAvif('busy.avif', OPACITIES);
  const bytes = await readFile(file);
  // Enabled, as the pictures are: libavformat then takes the track with more bytes for the one to show.
  const flags = bytes.lastIndexOf('tkhd', undefined, 'latin1') + 7;
  bytes[flags]! |= 1;
  await writeFile(file, bytes);
  await using input = await openInput(file, limits);
  assert.equal(input.format.findBestStream(AVMEDIA_TYPE_VIDEO), input.alpha!.index);
  assert.equal(input.video!.nbFrames, BigInt(LUMAS.length));
});

test('[R8] an animated AVIF that has no alpha, or a fully opaque one, hides the layers below', async () => {
  for (const file of [
    await animatedAvif('plain.avif', null),
    await animatedAvif('opaque.avif', [255, 255, 255, 255]),
  ]) {
    const { kind, facts } = await probe(file, limits);
    assert.deepEqual([kind, facts.alpha], ['animation', false]);
  }
});
