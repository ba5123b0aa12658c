import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { renderChunks } from '../../../src/engine/encode/render-chunks.ts';
import { DEFAULT_MEDIA_LIMITS as limits } from '../../../src/engine/input/media-limits.ts';
import { ClipReaders } from '../../../src/engine/picture/clip-readers.ts';
import { testPainter } from '../test-painter.ts';
import { source, videoPlan } from '../video-plan.ts';
import { renderPreset } from './render-chunk.ts';
import { outFolder } from './render-video.ts';

/** The same timeline on three canvases; on the last, half of it is hidden from another clip. */
async function threePresets() {
  const sources = {
    plain: await source({ frames: 400, bFrames: 2 }),
    slow: await source({ frames: 200, rate: { num: 12, den: 1 } }),
  };
  const timeline = {
    videos: [
      { file_field: 'plain', start: 0, duration: 12, fade_in: 0.5 },
      { file_field: 'slow', start: 3, duration: 6, speed: 1.3, width_percent: 50, height_percent: 50 },
      { file_field: 'plain', start: 12, duration: 10, trim_start: 1, fit: 'blur' },
    ],
    tier_blocks: [{ start: 4, duration: 14 }],
    tier_tiles: [{ tier_item_id: 'a', position: 6 }],
  };
  const sizes = [
    { width: 96, height: 64 },
    { width: 64, height: 96 },
    { width: 64, height: 64 },
  ];
  return sizes.map((size) => {
    const { plan, files } = videoPlan(sources, timeline, size);
    return { plan, files, painter: testPainter(plan) };
  });
}

test('[R18] presets rendered together are byte for byte those rendered alone', async () => {
  const presets = await threePresets();
  const folder = outFolder();
  const jobsOf = (name: string) =>
    presets.map(({ plan }, preset) =>
      plan.chunks.map((range, i) => ({ range, out: join(folder, `${name}-${preset}-${i}.mp4`) })),
    );
  const [together, alone] = [jobsOf('together'), jobsOf('alone')];
  // The last preset lacks one chunk: as after an edit, where some are in the cache.
  together[2]!.splice(1, 1);
  alone[2]!.splice(1, 1);
  const progress: number[] = [];
  const rendered = await Array.fromAsync(
    renderChunks({
      presets: presets.map((preset, i) => ({ ...preset, jobs: together[i]! })),
      limits,
      onProgress: (done) => progress.push(done),
    }),
  );
  assert.equal(rendered.length, together.flat().length);
  const frames = together.flat().reduce((sum, { range }) => sum + range.end - range.start, 0);
  assert.deepEqual(
    progress,
    Array.from({ length: frames }, (_, n) => n + 1),
  );
  for (const [i, preset] of presets.entries()) await Array.fromAsync(renderPreset({ ...preset, limits }, alone[i]!));
  for (const [i, job] of together.flat().entries()) {
    assert.ok(readFileSync(job.out).equals(readFileSync(alone.flat()[i]!.out)), job.out);
  }
});

test('a clip that several presets show is opened once, and kept until all of them are done with it', async () => {
  const { plan, files } = (await threePresets())[0]!;
  const clip = plan.clips[0]!;
  const wanted = { clip, file: files.get(clip.source)! };
  const signal = new AbortController().signal;
  await using readers = new ClipReaders({ limits, signal });
  const [one, other] = ['one', 'other'];
  const reader = await readers.reader(wanted, one);
  assert.equal(await readers.reader(wanted, other), reader);
  await readers.keep(new Set(), one);
  assert.equal(await readers.reader(wanted, other), reader);
  await readers.keep(new Set(), other);
  // At rest, it serves the next clip of its file.
  assert.equal(await readers.reader({ ...wanted, clip: { ...clip, path: '/another' } }, one), reader);
});
