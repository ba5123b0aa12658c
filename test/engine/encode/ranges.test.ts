import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assemble } from '../../../src/engine/encode/assemble.ts';
import { renderStill } from '../../../src/engine/encode/still.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../../src/engine/input/media-limits.ts';
import { frames } from '../../../src/time.ts';
import { composeFrames, frameHashes } from '../compose/compose-frames.ts';
import { testPainter } from '../test-painter.ts';
import { source, videoPlan } from '../video-plan.ts';
import { renderChunk } from './render-chunk.ts';
import { outFolder, type Render, renderAllChunks, renderVideo, silence } from './render-video.ts';

/** Everything at once: cuts, speeds, fits, pictures in pictures, fades, alpha, interlacing, loops, stills, pictures. */
async function everything(): Promise<Required<Render>> {
  const sources = {
    plain: await source({ frames: 300, bFrames: 2 }),
    wide: await source({ frames: 200, width: 128, height: 72, rate: { num: 25, den: 1 } }),
    fields: await source({ frames: 90, width: 96, height: 64, interlaced: true, rate: { num: 25, den: 1 } }),
    clear: await source({ frames: 60, codec: 'libvpx-vp9', container: 'webm', alpha: true }),
    turned: await source({ frames: 90, width: 64, height: 96, orientation: { quarterTurns: 1, mirrored: true } }),
    loop: await source(
      { frames: 10, rate: { num: 10, den: 1 }, codec: 'gif', container: 'gif' },
      { kind: 'animation' },
    ),
  };
  const timeline = {
    videos: [
      { file_field: 'plain', start: 0, duration: 6, fade_in: 0.5, fade_out: 1.3 },
      { file_field: 'wide', start: 3, duration: 4, speed: 1.37, trim_start: 0.4, fade_in: 0.7, fit: 'blur' },
      { file_field: 'fields', start: 7, duration: 3, fit: 'cover' },
      {
        file_field: 'clear',
        start: 8,
        duration: 2,
        x_percent: 30,
        y_percent: 10,
        width_percent: 60,
        height_percent: 60,
      },
      { file_field: 'turned', start: 10, duration: 3, fit: 'contain' },
      {
        file_field: 'loop',
        start: 10.5,
        duration: 4,
        x_percent: 50,
        y_percent: 50,
        width_percent: 40,
        height_percent: 40,
        fade_out: 1,
      },
    ],
    tier_blocks: [{ start: 2, duration: 7, x_percent: 10, y_percent: 10, width_percent: 50, height_percent: 60 }],
    tier_tiles: [
      { tier_item_id: 'a', position: 4 },
      { tier_item_id: 'b', position: 4.2 },
    ],
    subtitles: [{ text: 'x', start: 1, duration: 12.5 }],
  };
  const planned = videoPlan(sources, timeline);
  return { ...planned, painter: testPainter(planned.plan) };
}

test('[R4] any range rendered alone equals the same frames of the whole video', async () => {
  const render = await everything();
  const { totalFrames } = render.plan;
  const whole = await frameHashes(render, { start: frames(0), end: totalFrames });
  assert.equal(whole.length, totalFrames);
  for (const [start, length] of [
    [0, 1],
    [7, 40],
    [89, 3],
    [100, 120],
    [131, 1],
    [212, 60],
    [255, 2],
    [300, 100],
    [433, 2],
  ] as const) {
    const end = Math.min(start + length, totalFrames);
    const alone = await frameHashes(render, { start: frames(start), end: frames(end) });
    assert.deepEqual(alone, whole.slice(start, end), `frames ${start} to ${end}`);
  }
});

test('[R4] a still equals the frame that a render encodes', async () => {
  const render = await everything();
  const n = frames(131);
  const { rgba, width, height } = await renderStill({ ...render, limits: DEFAULT_MEDIA_LIMITS, frame: n });
  assert.equal(rgba.length, width * height * 4);
  let luma = 0;
  await composeFrames(render, { start: n, end: frames(n + 1) }, (frame) => {
    luma = frame.data![0]!.at(0)!;
  });
  // Grey to grey: the corner shows nothing but black and white cells or their mixture.
  const grey = Math.round(((luma - 16) * 255) / 219);
  assert.ok(Math.abs(rgba[1]! - grey) < 24, `${rgba.subarray(0, 4)} for luma ${luma}`);
});

test('[R18] the same plan gives the same bytes: chunks alone, chunks in a row, the whole file', async () => {
  const render = await everything();
  const { plan } = render;
  assert.ok(plan.chunks.length > 1);
  const inARow = await renderAllChunks(render);
  const folder = outFolder();
  for (const [chunk, file] of inARow.entries()) {
    const out = join(folder, `${chunk}.mp4`);
    const { bytes } = await renderChunk({ ...render, chunk, out, limits: DEFAULT_MEDIA_LIMITS });
    const alone = readFileSync(out);
    assert.equal(alone.length, bytes);
    assert.ok(alone.equals(readFileSync(file)), `chunk ${chunk}`);
  }
  const again = join(folder, 'again.mp4');
  await assemble({ plan, chunkFiles: inARow, audioFile: await silence(plan), out: again });
  assert.ok(readFileSync(again).equals(readFileSync(await renderVideo(render))));
});
