import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/media-limits.ts';
import { probe } from '../../src/engine/probe.ts';
import { renderChunk } from '../../src/engine/render-chunk.ts';
import { ExportError } from '../../src/errors.ts';
import { SkiaOverlayPainter } from '../../src/paint/skia-overlay-painter.ts';
import { childLimits } from '../../src/sandbox/child-limits.ts';
import { launchRenderChild, type RenderChild } from '../../src/sandbox/render-child.ts';
import { type Frames, frames } from '../../src/time.ts';
import { source, videoPlan } from '../engine/video-plan.ts';
import { ScratchFolder } from './scratch-folder.ts';

const limits = DEFAULT_MEDIA_LIMITS;

function launch(folder: ScratchFolder, inputs: readonly string[]): Promise<RenderChild> {
  return launchRenderChild({ mode: 'auto', inputs, workDir: folder.workDir, limits: childLimits(10) });
}

/** Two seconds of a clip under a board and text in several scripts: every part of a render but the sound. */
async function sample(folder: ScratchFolder) {
  const made = await source({ frames: 60 });
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
    { width: 160, height: 120 },
  );
  return { plan, clip, files: [[0, clip]] as const };
}

test('[R18] a chunk rendered in the jail is the chunk rendered outside, byte for byte', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder);
  const [inside, outside] = [join(folder.workDir, 'chunk.mp4'), join(folder.path, 'chunk.mp4')];
  await using child = await launch(folder, [clip]);
  const range = { start: frames(0), end: plan.totalFrames };
  let furthest = 0;
  const answer = await child.request(
    'render_chunks',
    { plan, files, limits, jobs: [{ range, out: inside }] },
    { onProgress: ({ done }) => (furthest = done) },
  );
  assert.equal(furthest, 60);
  const painter = await SkiaOverlayPainter.create({ plan, files: new Map([['clip', clip]]) });
  await renderChunk({ plan, files: new Map(files), painter, limits, chunk: range, out: outside });
  assert.deepEqual(readFileSync(inside), readFileSync(outside));
  assert.deepEqual(answer, [{ frames: 60, bytes: readFileSync(outside).length }]);
});

test('[R4] a still comes as a picture file', async () => {
  using folder = new ScratchFolder();
  const { plan, clip, files } = await sample(folder);
  await using child = await launch(folder, [clip]);
  for (const [format, magic] of [
    ['png', '89504e47'],
    ['jpeg', 'ffd8ff'],
  ] as const) {
    const out = join(folder.workDir, `still.${format}`);
    const params = { plan, files, limits, frame: 30 as Frames, out, format };
    assert.deepEqual(await child.request('render_still', params), { width: 160, height: 120 });
    assert.ok(readFileSync(out).toString('hex').startsWith(magic));
  }
});

test('a probe from the jail says what a probe outside says', async () => {
  using folder = new ScratchFolder();
  const { clip } = await sample(folder);
  await using child = await launch(folder, [clip]);
  assert.deepEqual(await child.request('probe', { file: clip, limits }), await probe(clip, limits));
});

test('an upload that is none of its inputs is not there for the child', async (t) => {
  using folder = new ScratchFolder();
  const { clip } = await sample(folder);
  await using child = await launch(folder, [folder.upload]);
  if (!child.jail.layers.some(({ name }) => name === 'landlock')) return t.skip('no Landlock here');
  const error = await child.request('probe', { file: clip, limits }).catch((reason: unknown) => reason);
  assert.ok(error instanceof ExportError);
  assert.match(String((error.cause as Error).message), /EACCES/);
});
