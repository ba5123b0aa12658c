import { access, mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Issue } from '../../errors.ts';
import { takeFile } from '../../sandbox/host/take-file.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import { type Frames, type Range, secondsOf } from '../../time.ts';
import { workFolderBeside } from '../project/output-file.ts';
import type { PlannedProject } from '../project/plan-project.ts';
import type { LocalChunkCache } from './local-chunk-cache.ts';

interface ChangedHooks {
  readonly signal: AbortSignal;
  readonly warn: (issue: Issue) => void;
  /** Of the frames that this run renders. */
  readonly progress: (done: number, total: Frames) => void;
}

/** How much of a video was cached. */
interface Reuse {
  readonly chunks: number;
  readonly kept: number;
}

interface ChunkToRender {
  readonly key: string;
  readonly range: Range<Frames>;
  /** The path that the child writes to. */
  readonly out: string;
}

/**
 * Renders the video at `out`, but only the chunks that are not cached. Each is cached as soon as it is finished, so a
 * run after an abort continues from there. `out` has the old video until the new one is complete.
 */
export async function renderChanged(
  project: PlannedProject,
  out: string,
  cache: LocalChunkCache,
  hooks: ChangedHooks,
): Promise<Reuse> {
  const { plan, files, host } = project;
  const { signal, warn: onWarning } = hooks;
  await using folder = await workFolderBeside(out);
  // The child writes to one folder and reads from another. It cannot access the third.
  const at = (name: 'made' | 'lent' | 'taken', file = '') => join(folder.path, name, file);
  for (const name of ['made', 'lent', 'taken'] as const) await mkdir(at(name));

  const chunks = plan.chunks.map(({ key, start, end }, i) => ({
    key,
    range: { start, end },
    file: at('lent', `${i}.mp4`),
  }));
  const missing = new Map<string, ChunkToRender>();
  for (const { key, range, file } of chunks) {
    if (await cache.copyTo(key, file)) continue;
    if (!missing.has(key)) missing.set(key, { key, range, out: at('made', `${missing.size}.mp4`) });
  }
  const audioFile = at('lent', 'sound.m4a');
  const isSilentYet = !(await cache.copyTo(plan.audio.key, audioFile));

  const inputs = [...new Set(files.map(([, path]) => path))];
  const duration = secondsOf(plan.totalFrames, plan.rate);
  await using child = await host.open({ inputs, workDir: at('made'), lentDir: at('lent'), duration, signal });
  const keep = async ({ key, out: path }: Pick<ChunkToRender, 'key' | 'out'>): Promise<void> => {
    const taken = at('taken', basename(path));
    await takeFile(path, taken);
    await cache.put(key, taken);
  };
  const renderSound = async (): Promise<void> => {
    const sound = { key: plan.audio.key, out: at('made', 'sound.m4a') };
    const params = { plan, files, limits: host.mediaLimits, out: sound.out };
    await child.request('render_sound', params, { signal, onWarning });
    await keep(sound);
    await lend(cache, sound.key, audioFile);
  };
  await Promise.all([isSilentYet && renderSound(), renderMissing([...missing.values()], project, child, keep, hooks)]);
  for (const { key, file } of chunks) if (missing.has(key)) await lend(cache, key, file);

  const video = at('made', 'video.mp4');
  const chunkFiles = chunks.map(({ file }) => file);
  await child.request('assemble', { plan, chunkFiles, audioFile, out: video }, { signal });
  await rename(video, out);
  await cache.trim();
  return { chunks: chunks.length, kept: chunks.filter(({ key }) => !missing.has(key)).length };
}

/** Renders chunks and caches each as soon as it is on disk. */
async function renderMissing(
  chunks: readonly ChunkToRender[],
  { plan, files, host }: PlannedProject,
  child: RenderChild,
  keep: (chunk: ChunkToRender) => Promise<void>,
  { signal, warn: onWarning, progress }: ChangedHooks,
): Promise<void> {
  if (chunks.length === 0) return;
  const total = chunks.reduce((sum, { range }) => sum + range.end - range.start, 0) as Frames;
  let kept = 0;
  const keepFinished = async (): Promise<void> => {
    for (let next = chunks[kept]; next !== undefined && (await exists(next.out)); next = chunks[kept]) {
      kept += 1;
      await keep(next);
    }
  };
  // One at a time, because progress arrives faster than files are cached.
  let keeping: Promise<void> | null = null;
  const onProgress = ({ done }: { done: number }): void => {
    progress(done, total);
    keeping ??= keepFinished().finally(() => {
      keeping = null;
    });
    keeping.catch(() => {}); // thrown below, where the chunk is missing
  };
  const jobs = chunks.map(({ range, out }) => ({ range, out }));
  const params = { presets: [{ plan, files, jobs }], limits: host.mediaLimits };
  await child.request('render_chunks', params, { signal, onWarning, onProgress });
  await keeping;
  for (const chunk of chunks.slice(kept)) await keep(chunk);
}

/** A chunk that was just cached is missing only if the folder is being cleared. */
async function lend(cache: LocalChunkCache, key: string, file: string): Promise<void> {
  if (!(await cache.copyTo(key, file))) throw new Error(`chunk ${key} is no longer in the cache`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
