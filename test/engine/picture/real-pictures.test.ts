import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderStill, type Still } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { probe } from '../../../src/engine/probe/probe-media.ts';
import { ExportError } from '../../../src/errors.ts';
import { frames } from '../../../src/time.ts';
import { REAL_MEDIA, noRealMedia as skip } from '../../fixtures/real-media.ts';
import { renderChunk } from '../encode/render-chunk.ts';
import { outFolder, type Render } from '../encode/render-video.ts';
import { NO_PAINTER } from '../no-painter.ts';
import { fileSource, videoPlan } from '../video-plan.ts';

/** Media from other sources; a fresh clone does not have them. */
const PICTURES = /\.(mp4|webm|gif|jpg|png|webp|mkv|ts)$/;
const SIZE = { width: 160, height: 90 };

async function planned(name: string, settings: Record<string, unknown> = {}): Promise<Render> {
  const file = join(REAL_MEDIA, name);
  const { facts } = await probe(file, DEFAULT_MEDIA_LIMITS);
  const videos = [{ file_field: 'clip', start: 0, duration: 1 }];
  return videoPlan({ clip: fileSource(file, facts) }, { videos }, { ...SIZE, ...settings });
}

async function still(name: string, n: number): Promise<Still> {
  return renderStill({
    ...(await planned(name)),
    painter: NO_PAINTER,
    limits: DEFAULT_MEDIA_LIMITS,
    frame: frames(n),
  });
}

for (const name of skip ? [] : readdirSync(REAL_MEDIA).filter((file) => PICTURES.test(file))) {
  test(`${name} renders, or fails with a matching error`, async () => {
    try {
      const render = await planned(name, { fit: 'blur' });
      const out = join(outFolder(), 'chunk.mp4');
      const options = { ...render, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS, chunk: 0, out };
      assert.equal((await renderChunk(options)).frames, 30);
    } catch (error) {
      assert.ok(error instanceof ExportError, String(error));
      assert.match(error.code, /^media\./);
    }
  });
}

test('[R7] SD colours of a scene equal its HD colours', { skip }, async () => {
  const [sd, hd] = [await still('bt601.mp4', 3), await still('sample_video_only.mp4', 3)];
  for (const channel of [0, 1, 2]) assert.ok(Math.abs(mean(sd, channel) - mean(hd, channel)) < 4);
});

test('[R7] a rotated picture is upright: the sky is above the ground', { skip }, async () => {
  for (const name of ['exif_Landscape_6.jpg', 'exif_Portrait_3.jpg', 'london-512.jpg']) {
    const picture = await still(name, 0);
    assert.ok(brightness(picture, 5) > brightness(picture, 80) + 20, name);
  }
});

test('[R7] HDR is neither black nor burnt out', { skip }, async () => {
  for (const name of ['hlg10-color-test.mp4', 'hdr10-av1.mp4']) {
    const picture = await still(name, 5);
    const middle = brightness(picture, 45);
    assert.ok(middle > 60 && middle < 230, `${name}: ${middle}`);
  }
});

/** The mean of a channel over the middle of the picture, where clips of every aspect ratio show something. */
function mean({ rgba, width, height }: Still, channel: number): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < height; y++) {
    for (let x = Math.floor(width * 0.35); x < width * 0.65; x++, count++) sum += rgba[(y * width + x) * 4 + channel]!;
  }
  return sum / count;
}

/** How bright the middle of a row is. */
function brightness({ rgba, width }: Still, row: number): number {
  let sum = 0;
  for (let x = 72; x < 88; x++) sum += rgba[(row * width + x) * 4 + 1]!;
  return sum / 16;
}
