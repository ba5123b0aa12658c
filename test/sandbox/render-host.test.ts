import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { ExportError } from '../../src/errors.ts';
import { DEFAULT_CHILD_ALLOWANCE } from '../../src/sandbox/host/child-limits.ts';
import { RenderHost } from '../../src/sandbox/render-host.ts';
import { makeClip } from '../fixtures/clips.ts';
import { ScratchFolder } from './scratch-folder.ts';

function host(allowance: Partial<typeof DEFAULT_CHILD_ALLOWANCE> = {}): RenderHost {
  const all = { ...DEFAULT_CHILD_ALLOWANCE, ...allowance };
  return new RenderHost({ mode: 'auto', allowance: all, mediaLimits: DEFAULT_MEDIA_LIMITS });
}

test('an unusable file has its own error; the others are still probed', async () => {
  using folder = new ScratchFolder();
  const clip = await makeClip({ frames: 3 });
  const inputs = [clip.file, import.meta.filename, clip.file];
  const found = await host().probe({ inputs, workDir: folder.workDir });
  const kinds = found.map((result) => (result instanceof ExportError ? result.code : result.kind));
  assert.deepEqual(kinds, ['video', 'media.unsupported', 'video']);
});

test('all files of a request share one budget: once it is used up, the other files get that error', async () => {
  using folder = new ScratchFolder();
  const clip = await makeClip({ frames: 3 });
  const stingy = host({ baseSeconds: 0, secondsPerSecond: 0 });
  const found = await stingy.probe({ inputs: [clip.file, clip.file], workDir: folder.workDir });
  const codes = found.map((result) => (result instanceof ExportError ? result.code : 'looked into'));
  assert.deepEqual(codes, ['render.over_budget', 'render.over_budget']);
});
