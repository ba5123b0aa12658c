import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AV_PIX_FMT_YUVJ420P, AVCOL_RANGE_JPEG, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Rational } from 'node-av/lib';
import { assemble } from '../../../src/engine/encode/assemble.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { chunkShare, h264Level, LevelBuffer } from '../../../src/iso/h264/level-buffer.ts';
import { renderPreset } from '../../engine/encode/render-chunk.ts';
import { outFolder, type Render, renderAllChunks, silence } from '../../engine/encode/render-video.ts';
import { NO_PAINTER } from '../../engine/no-painter.ts';
import { fileSource, source, videoPlan } from '../../engine/video-plan.ts';
import { ClipWriter } from '../../fixtures/clip-writer.ts';
import { clipFolder } from '../../fixtures/clips.ts';
import { allocateFrame } from '../../fixtures/frame-painter.ts';
import { readPackets } from '../mp4/read-packets.ts';

const [WIDTH, HEIGHT, FPS] = [640, 360, 10];
/** What level 3.0 has for the High profile, by Rec. ITU-T H.264, tables. */
const [LEVEL_BITS_PER_SECOND, LEVEL_BUFFER_BITS] = [12_500_000, 12_500_000];

/** Sixteen seconds in two chunks: noise, which no encoder can make small, and in between a picture that does not move. */
async function noisyVideo(): Promise<Render> {
  const noise = fileSource(await noiseClip(), { width: WIDTH, height: HEIGHT, duration: 1 });
  const still = await source({ frames: 30, width: WIDTH, height: HEIGHT });
  const videos = Array.from({ length: 16 }, (_, second) => ({
    file_field: second === 5 || second === 11 ? 'still' : 'noise',
    start: second,
    duration: 1,
  }));
  const settings = { width: WIDTH, height: HEIGHT, fps: FPS, encoder_preset: 'ultrafast', quality: 'high' };
  const render = videoPlan({ noise, still }, { videos }, settings);
  assert(render.plan.chunks.length > 1, `${render.plan.chunks.length} chunk`);
  return render;
}

test('[R24] noise stays within its level, over all chunks, and gives the same bytes each time', async () => {
  const render = await noisyVideo();
  assert.equal(h264Level(render.plan.canvas, render.plan.rate), '3.0');
  const chunkFiles = await renderAllChunks(render);
  const file = join(outFolder(), 'video.mp4');
  await assemble({ plan: render.plan, chunkFiles, audioFile: await silence(render.plan), out: file });
  const { sizes } = await readPackets(file, AVMEDIA_TYPE_VIDEO);
  assert.equal(sizes.length, 16 * FPS);
  const bitsASecond = (sizes.reduce((sum, size) => sum + size, 0) * 8) / 16;
  assert(bitsASecond > 0.6 * LEVEL_BITS_PER_SECOND, `only ${bitsASecond} bits a second: nothing to keep to`);
  let level = LEVEL_BUFFER_BITS;
  for (const [n, size] of sizes.entries()) {
    level -= size * 8;
    assert(level >= 0, `the buffer is empty at frame ${n}`);
    level = Math.min(LEVEL_BUFFER_BITS, level + LEVEL_BITS_PER_SECOND / FPS);
  }

  const reported: number[] = [];
  const jobs = render.plan.chunks.map((range, index) => ({ range, out: join(outFolder(), `${index}.mp4`) }));
  const options = { ...render, painter: NO_PAINTER, limits: DEFAULT_MEDIA_LIMITS };
  await Array.fromAsync(renderPreset({ ...options, onProgress: (done) => reported.push(done) }, jobs));
  for (const [n, { out }] of jobs.entries())
    assert(readFileSync(out).equals(readFileSync(chunkFiles[n]!)), `chunk ${n}`);
  assert(reported.length > 16 * FPS, 'a second time for some');
  assert.deepEqual(
    reported,
    reported.map((_, n) => n + 1),
    'progress never stands still, or the render would be taken for dead',
  );
});

test('[R24] chunks that each stay within their share stay within the level in any order', () => {
  const [canvas, rate] = [
    { width: WIDTH, height: HEIGHT },
    { num: FPS, den: 1 },
  ];
  const { kbps, kbits } = chunkShare(canvas, rate);
  // The worst that a chunk of two seconds may do: all it has at once, at its end and at its beginning.
  const perFrame = (kbps * 1000) / 8 / FPS;
  const burst = Math.floor((kbits * 1000) / 8);
  const frames = 2 * FPS;
  const late = Array.from({ length: frames }, (_, n) => (n === frames - 1 ? burst : Math.floor(perFrame) - 1));
  const early = [...late].reverse();
  for (const chunk of [late, early]) {
    const buffer = new LevelBuffer(canvas, rate);
    for (const size of chunk) buffer.add(size);
    assert(buffer.kept);
  }
  for (const order of [
    [late, early, late, early, late, early],
    [early, early, early, early],
    [late, late, late, late],
  ]) {
    let level = LEVEL_BUFFER_BITS;
    for (const size of order.flat()) {
      level -= size * 8;
      assert(level >= 0, 'the buffer is empty');
      level = Math.min(LEVEL_BUFFER_BITS, level + LEVEL_BITS_PER_SECOND / FPS);
    }
  }
  const over = new LevelBuffer(canvas, rate);
  over.add(burst);
  over.add(burst);
  assert.equal(over.kept, false);
});

/** A second of noise. */
async function noiseClip(): Promise<string> {
  const file = join(clipFolder(), 'noise.mkv');
  await using writer = new ClipWriter('matroska', file);
  const track = await writer.add('mjpeg', { flags: '+qscale', global_quality: 118 * 3 }, (context) => {
    context.width = WIDTH;
    context.height = HEIGHT;
    context.pixelFormat = AV_PIX_FMT_YUVJ420P;
    context.colorRange = AVCOL_RANGE_JPEG;
    context.timeBase = new Rational(1, FPS);
    context.framerate = new Rational(FPS, 1);
  });
  await writer.start({});
  let seed = 1;
  for (let n = 0; n < FPS; n++) {
    using frame = allocateFrame(WIDTH, HEIGHT, AV_PIX_FMT_YUVJ420P);
    for (const plane of frame.data!) {
      for (let at = 0; at < plane.length; at++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        plane[at] = seed >>> 24;
      }
    }
    frame.pts = BigInt(n);
    await writer.encode(track, frame);
  }
  await writer.finish();
  return file;
}
