import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { probe } from '../../src/engine/probe/probe-media.ts';
import { ExportError } from '../../src/errors.ts';
import { SkiaPainter } from '../../src/paint/skia/skia-painter.ts';
import { childLimits } from '../../src/sandbox/host/child-limits.ts';
import { launchRenderChild, type RenderChild } from '../../src/sandbox/render-child.ts';
import { type Frames, frames } from '../../src/time.ts';
import { renderChunk } from '../engine/encode/render-chunk.ts';
import { source, videoPlan } from '../engine/video-plan.ts';
import type { ClipOptions } from '../fixtures/clips.ts';
import { ScratchFolder } from './scratch-folder.ts';

const limits = DEFAULT_MEDIA_LIMITS;

function launch(folder: ScratchFolder, inputs: readonly string[]): Promise<RenderChild> {
  return launchRenderChild({ mode: 'auto', inputs, workDir: folder.workDir, limits: childLimits(10) });
}

/** Two seconds of a clip under a board and text in several scripts. */
async function sample(folder: ScratchFolder, options: Partial<ClipOptions> = {}, settings = {}) {
  const made = await source({ frames: 60, ...options }, { sound: options.sound !== undefined });
  const clip = join(folder.path, 'clip');
  await copyFile(made.clip.file, clip);
  const subtitle = { text: 'Tiers — 段位 مستوى 🎬', start: 0, duration: 2 };
  const { plan } = videoPlan(
    { clip: made },
    {
      videos: [{ file_field: 'clip', start: 0, duration: 2 }],
      tier_blocks: [{ start: 0.5, duration: 1 }],
      subtitles: [subtitle],
    },
    { width: 160, height: 120, ...settings },
  );
  return { plan, clip, files: [[0, clip]] as const };
}

test('[R18] a chunk rendered in the jail equals the chunk rendered outside, byte for byte', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder);
  const [inside, outside] = [join(folder.workDir, 'chunk.mp4'), join(folder.path, 'chunk.mp4')];
  await using child = await launch(folder, [clip]);
  const range = { start: frames(0), end: plan.totalFrames };
  let furthest = 0;
  const answer = await child.request(
    'render_chunks',
    { presets: [{ plan, files, jobs: [{ range, out: inside }] }], limits },
    { onProgress: ({ done }) => (furthest = done) },
  );
  assert.equal(furthest, 60);
  const painter = await SkiaPainter.create({ plan, files: new Map([['clip', clip]]) });
  await renderChunk({ plan, files: new Map(files), painter, limits, chunk: range, out: outside });
  assert.deepEqual(readFileSync(inside), readFileSync(outside));
  assert.deepEqual(answer, [{ frames: 60, bytes: readFileSync(outside).length }]);
});

test('[R18] a moving board painted in the jailed child is the same, byte for byte', async () => {
  using folder = new ScratchFolder();
  const tiles = [
    { tier_item_id: 'a', position: 0.1 },
    { tier_item_id: 'b', position: 1.3 },
  ];
  const timeline = { tier_blocks: [{ start: 0, duration: 3 }], tier_tiles: tiles };
  const { plan } = videoPlan({}, timeline, { width: 160, height: 120, reveal: 'spotlight' });
  const [inside, outside] = [join(folder.workDir, 'chunk.mp4'), join(folder.path, 'chunk.mp4')];
  const range = { start: frames(0), end: plan.totalFrames };
  await using child = await launch(folder, []);
  await child.request('render_chunks', { presets: [{ plan, files: [], jobs: [{ range, out: inside }] }], limits });
  const painter = await SkiaPainter.create({ plan, files: new Map() });
  await renderChunk({ plan, files: new Map(), painter, limits, chunk: range, out: outside });
  assert.deepEqual(readFileSync(inside), readFileSync(outside));
});

test('[R16, R17] chunks and sound that are rendered and assembled in the jail make one video', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder, { sound: { seconds: 2 } });
  await using child = await launch(folder, [clip]);
  const [chunkFiles, audioFile, out] = [
    plan.chunks.map((_, i) => join(folder.workDir, `${i}.mp4`)),
    join(folder.workDir, 'sound.mp4'),
    join(folder.workDir, 'video.mp4'),
  ];
  const jobs = plan.chunks.map((range, i) => ({ range, out: chunkFiles[i]! }));
  const [, sound] = await Promise.all([
    child.request('render_chunks', { presets: [{ plan, files, jobs }], limits }),
    child.request('render_sound', { plan, files, limits, out: audioFile }),
  ]);
  assert.equal(sound.samples, 2 * 48_000);
  assert.ok(sound.peakDb > -60, `${sound.peakDb}`);
  const { bytes } = await child.request('assemble', { plan, chunkFiles, audioFile, out });
  assert.equal(bytes, statSync(out).size);
  const { video, audio, duration } = await child.request('probe', { file: out, limits });
  assert.deepEqual([video?.frames, video?.codec, audio?.codec, duration], [60, 'h264', 'aac', 2]);
});

test('a real render with all threads busy is aborted before its end and leaves no files', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder, {}, { width: 1280, height: 720, quality: 'high' });
  const child = await launch(folder, [clip]);
  const abort = new AbortController();
  const underWay = Promise.withResolvers<void>();
  const range = { start: frames(0), end: plan.totalFrames };
  const render = child.request(
    'render_chunks',
    { presets: [{ plan, files, jobs: [{ range, out: join(folder.workDir, 'chunk.mp4') }] }], limits },
    { signal: abort.signal, onProgress: () => underWay.resolve() },
  );
  await underWay.promise;
  abort.abort();
  await assert.rejects(render, { code: 'render.cancelled' });
  assert.deepEqual(readdirSync(folder.workDir), []);
  await child[Symbol.asyncDispose]();
});

test('[R4] a still is returned as a picture file', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder);
  await using child = await launch(folder, [clip]);
  for (const [format, magic] of [
    ['png', '89504e47'],
    ['jpeg', 'ffd8ff'],
    ['webp', '52494646'],
  ] as const) {
    const out = join(folder.workDir, `still.${format}`);
    const params = { plan, files, limits, frame: 30 as Frames, out, format };
    assert.deepEqual(await child.request('render_still', params), { width: 160, height: 120 });
    assert.ok(readFileSync(out).toString('hex').startsWith(magic));
  }
});

test('[H1] a probe in the jail returns the same as a probe outside', async () => {
  using folder = new ScratchFolder();
  const { clip } = await sample(folder);
  await using child = await launch(folder, [clip]);
  assert.deepEqual(await child.request('probe', { file: clip, limits }), await probe(clip, limits));
});

test('[H1] an upload that is not one of its inputs is invisible to the child', async (t) => {
  using folder = new ScratchFolder();
  const { clip } = await sample(folder);
  await using child = await launch(folder, [folder.upload]);
  if (!child.jail.layers.some(({ name }) => name === 'landlock')) return t.skip('no Landlock here');
  const error = await child.request('probe', { file: clip, limits }).catch((reason: unknown) => reason);
  assert.ok(error instanceof ExportError);
  assert.match(String((error.cause as Error).message), /EACCES/);
});
