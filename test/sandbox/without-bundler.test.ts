import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openChildren } from '../../src/compose/open-children.ts';
import { readConfig } from '../../src/config/config.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../src/engine/input/media-limits.ts';
import { Metrics } from '../../src/http/server/metrics.ts';
import { ENGINE_VERSION } from '../../src/plan/keys/engine-version.ts';
import { planRender } from '../../src/plan/plan-render.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { prepareCode } from '../../src/sandbox/prepare-code.ts';
import type { RenderHost } from '../../src/sandbox/render-host.ts';
import { DiskBlobStore } from '../../src/store/disk/disk-blob-store.ts';
import { LinkedLocalFiles } from '../../src/store/disk/linked-local-files.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { parseRequest } from '../../src/timeline/parse/parse-request.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';

/** The renderer on its own data folder, as a service opens it at its start. */
async function children(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tiercut-slow-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  using metrics = new Metrics();
  const local = await LinkedLocalFiles.open(dataDir, await DiskBlobStore.open(dataDir));
  const opened = await openChildren(readConfig({}), {
    codeFolder: join(dataDir, 'code'),
    local,
    metrics,
    log: () => {},
  });
  return { ...opened, dataDir };
}

/** Renders half a second of text and probes the result. */
async function render(host: RenderHost, dataDir: string) {
  const workDir = mkdtempSync(join(dataDir, 'render-'));
  const limits = DEFAULT_TIMELINE_LIMITS;
  const documents = {
    tier_list: { rows: [], items: [] },
    timeline_data: { subtitles: [{ text: 'Slow', start: 0, duration: 0.5 }] },
    settings: { width: 160, height: 90, quality: 'draft' },
  };
  const request = parseRequest(documents, { limits, presets: DEFAULT_PRESETS, uploads: new Set() });
  const [preset] = DEFAULT_PRESETS;
  const plan = planRender(request, { facts: new Map(), preset, limits, engineVersion: ENGINE_VERSION, sha256 });
  await using child = await host.open({ inputs: [], workDir, duration: 1 });
  const program = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
    .split('\0')
    .find((word) => /child-main\.[jt]s$/.test(word));
  const [chunk, sound, out] = ['chunk.mp4', 'sound.mp4', 'out.mp4'].map((name) => join(workDir, name)) as string[];
  const all = { plan, files: [], limits: DEFAULT_MEDIA_LIMITS };
  await child.request('render_chunks', { ...all, jobs: plan.chunks.map((range) => ({ range, out: chunk! })) });
  await child.request('render_sound', { ...all, out: sound! });
  await child.request('assemble', { plan, chunkFiles: [chunk!], audioFile: sound!, out: out! });
  const { video } = await child.request('probe', { file: out!, limits: DEFAULT_MEDIA_LIMITS });
  return { program, frames: video?.frames };
}

test('without a bundler renders run the sources, with a warning that they are slower', async (t) => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'esbuild' ? 'esbuild-that-is-not-there' : specifier, context),
  });
  t.after(() => hooks.deregister());
  const { slowedBy, host, dataDir } = await children(t);
  assert.deepEqual(
    slowedBy.map((error) => (error as NodeJS.ErrnoException).code),
    ['ERR_MODULE_NOT_FOUND'],
  );
  const { program, frames } = await render(host, dataDir);
  assert.match(program!, /src\/sandbox\/child\/child-main\.ts$/);
  assert.equal(frames, 15);
  assert.deepEqual(readdirSync(join(dataDir, 'work')), []);
});

test('a bundler that cannot start is treated as missing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tiercut-bundler-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const broken = join(folder, 'esbuild');
  writeFileSync(broken, '#!/bin/sh\nexit 1\n');
  chmodSync(broken, 0o755);
  // Read when the bundler is loaded, which has not happened in this process.
  process.env.ESBUILD_BINARY_PATH = broken;
  t.after(() => delete process.env.ESBUILD_BINARY_PATH);
  const faults: unknown[] = [];
  const codeDir = await prepareCode(join(folder, 'code'), (error) => faults.push(error));
  assert.equal(codeDir, undefined);
  assert.ok(faults.length === 1 && faults[0] instanceof Error, String(faults));
});
