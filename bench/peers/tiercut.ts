/**
 * `tiercut.ts WORKLOAD OUT`: the whole render of an export, in this process: chunks, sound, assembly. Without OUT a second of it,
 * which leaves its code compiled for the next.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '../../src/engine/encode/assemble.ts';
import { DEFAULT_MEDIA_LIMITS as limits } from '../../src/engine/input/media-limits.ts';
import { renderSound } from '../../src/engine/sound/render-sound.ts';
import { planPainter } from '../../src/sandbox/child/plan-painter.ts';
import { frames } from '../../src/time.ts';
import { renderPreset } from '../../test/engine/encode/render-chunk.ts';
import { WORKLOADS } from '../render/timelines.ts';

const [, , workload, out] = process.argv as unknown as [string, string, keyof typeof WORKLOADS, string | undefined];
const folder = await mkdtemp(join(tmpdir(), 'tiercut-peers-run-'));
try {
  const { plan, files } = await WORKLOADS[workload]();
  const { signal } = new AbortController();
  const context = { signal, progress: () => {}, warn: () => {} };
  const chunks = out === undefined ? [{ start: frames(0), end: frames(30) }] : plan.chunks;
  const painter = await planPainter({ plan, files: [...files], limits }, context);
  const jobs = chunks.map((range, i) => ({ range, out: join(folder, `${i}.mp4`) }));
  await Array.fromAsync(renderPreset({ plan, files, painter, limits }, jobs));
  const audioFile = join(folder, 'sound.m4a');
  await renderSound({ plan, files, out: audioFile, limits, signal });
  if (out !== undefined) await assemble({ plan, chunkFiles: jobs.map((job) => job.out), audioFile, out });
} finally {
  await rm(folder, { recursive: true, force: true });
}
