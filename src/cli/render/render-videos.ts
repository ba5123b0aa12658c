import { mkdir, rename } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Issue } from '../../errors.ts';
import type { AssembledPlan } from '../../iso/mp4/assembled-tracks.ts';
import type { RenderPlan } from '../../plan/model/render-plan.ts';
import { memoryLimitBytes } from '../../sandbox/host/memory-limit.ts';
import { memoryOfEach, presetsTogether, rendersAtOnce } from '../../sandbox/host/render-memory.ts';
import type { RenderChild } from '../../sandbox/render-child.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type Frames, type Range, secondsOf } from '../../time.ts';
import { workFolderBeside } from '../project/output-file.ts';
import type { PlannedPreset } from '../project/plan-project.ts';

/** A preset, and the output path of its video. */
export interface Video extends PlannedPreset {
  readonly out: string;
  /** The wanted part; absent: all of it. Its chunk numbers are those of the whole video. (C52) */
  readonly cut?: AssembledPlan & Pick<RenderPlan, 'preset' | 'encoder'>;
}

/** Callbacks of a render. */
interface RenderHooks {
  readonly signal: AbortSignal;
  readonly warn: (issue: Issue) => void;
  /** Finished frames of all videos together. */
  readonly progress: (frames: number) => void;
}

/** Adjacent chunks of videos that are rendered together, in one request. */
interface Stretch {
  readonly videos: readonly Video[];
  readonly chunks: readonly number[];
}

const SOUND = 'sound.m4a';

/** Consecutive requests do not overlap, so one has several chunks, unless pipelines would be idle. */
const MAX_CHUNKS = 10;

/**
 * Renders beside the output path, so that the videos can be moved there in one step; in as many children as cores and
 * memory allow.
 *
 * @returns the peak memory of all children together.
 */
export async function renderVideos(
  videos: readonly [Video, ...Video[]],
  host: RenderHost,
  config: Pick<Config, 'rendersAtOnce' | 'childMaxRssBytes'>,
  hooks: RenderHooks,
): Promise<{ peakRssBytes: number; pipelines: number }> {
  await using folder = await workFolderBeside(videos[0].out);
  await using children = new AsyncDisposableStack();
  const stop = new AbortController();
  const signal = AbortSignal.any([hooks.signal, stop.signal]);
  const lentDir = join(folder.path, 'lent');
  await mkdir(lentDir);
  const { stretches, pipelines } = stretchesOf(videos, config);
  const chunkPaths = new Map<string, string>();
  const progress = new SummedProgress(hooks.progress);

  const pipeline = async (n: number): Promise<RenderChild> => {
    const workDir = join(folder.path, String(n));
    await mkdir(workDir);
    const child = children.use(await host.open({ ...needsOf(videos), workDir, lentDir, signal }));
    const sound = n === 0 ? renderSound(videos[0], child, join(workDir, SOUND), host, { ...hooks, signal }) : null;
    sound?.catch(() => {}); // thrown below
    for (let next = stretches.shift(); next !== undefined; next = stretches.shift()) {
      const presets = presetsOf(next, workDir);
      for (const { out } of presets.flatMap(({ jobs }) => jobs)) chunkPaths.set(basename(out), out);
      const requestOptions = { signal, onWarning: hooks.warn, onProgress: progress.of(next) };
      await child.request('render_chunks', { presets, limits: host.mediaLimits }, requestOptions);
    }
    await sound;
    return child;
  };
  const lines = Array.from({ length: pipelines }, (_, n) =>
    pipeline(n).catch((error: unknown) => {
      stop.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(lines);
  const [first, ...others] = await Promise.all(lines);
  // The files of the other children are lent to the one that assembles, once they have ended and cannot change them.
  for (const child of others) await child[Symbol.asyncDispose]();
  if (others.length > 0) await moveInto(lentDir, chunkPaths);
  for (const { plan, cut = plan, out } of videos) {
    const chunkFiles = [...cut.chunks.keys()].map((chunk) => chunkPaths.get(chunkName(cut.preset, chunk))!);
    const made = join(folder.path, '0', `${cut.preset}.mp4`);
    const audioFile = join(folder.path, '0', SOUND);
    await first!.request('assemble', { plan: cut, chunkFiles, audioFile, out: made }, { signal });
    await rename(made, out);
  }
  const peaks = [first!, ...others].map((child) => child.peakRssBytes);
  return { peakRssBytes: peaks.reduce((sum, peak) => sum + peak, 0), pipelines };
}

function chunksOf({ plan, cut = plan }: Video): RenderPlan['chunks'] {
  return cut.chunks;
}

function chunkName(preset: string, chunk: number): string {
  return `${preset}-${chunk}.mp4`;
}

/** The inputs and the budget of a child that can render all of them. */
function needsOf(videos: readonly [Video, ...Video[]]): { inputs: string[]; duration: number } {
  const { totalFrames, rate } = videos[0].plan;
  const inputs = new Set(videos.flatMap(({ files }) => files.map(([, path]) => path)));
  return { inputs: [...inputs], duration: secondsOf(totalFrames, rate) * videos.length };
}

/** A stretch as a request to a child, with one file for each chunk. */
function presetsOf({ videos, chunks }: Stretch, workDir: string) {
  return videos.map(({ plan, files, cut = plan }) => ({
    plan,
    files,
    jobs: chunks.map((chunk) => ({
      range: cut.chunks[chunk] as Range<Frames>,
      out: join(workDir, chunkName(cut.preset, chunk)),
    })),
  }));
}

async function moveInto(folder: string, paths: Map<string, string>): Promise<void> {
  for (const [name, made] of paths) {
    const moved = join(folder, name);
    await rename(made, moved);
    paths.set(name, moved);
  }
}

async function renderSound(
  { plan, files }: Video,
  child: RenderChild,
  out: string,
  host: RenderHost,
  { signal, warn: onWarning }: RenderHooks,
): Promise<void> {
  await child.request('render_sound', { plan, files, limits: host.mediaLimits, out }, { signal, onWarning });
}

/** The work, and the number of children: one for every two cores, as far as memory and work allow. */
function stretchesOf(
  videos: readonly [Video, ...Video[]],
  { rendersAtOnce: wanted, childMaxRssBytes }: Pick<Config, 'rendersAtOnce' | 'childMaxRssBytes'>,
): { stretches: Stretch[]; pipelines: number } {
  const memoryBytes = memoryLimitBytes();
  const plans = videos.map(({ plan, cut = plan }) => cut);
  const max = wanted > 0 ? wanted : rendersAtOnce({ cores: availableParallelism(), memoryBytes }, plans.slice(0, 1));
  const eachBytes = Math.min(childMaxRssBytes, memoryOfEach(memoryBytes, max));
  const groups = presetsTogether(plans, eachBytes).map((group) =>
    videos.filter(({ plan, cut = plan }) => group.includes(cut)),
  );
  const chunks = groups.reduce((sum, [video]) => sum + chunksOf(video!).length, 0);
  const pipelines = Math.min(max, chunks);
  // A single pipeline does everything in one request; several get few chunks each, so that none has much left at the end.
  const together = pipelines === 1 ? chunks : Math.max(1, Math.min(MAX_CHUNKS, Math.floor(chunks / pipelines / 3)));
  const stretches = groups.flatMap((group) => {
    const numbers = [...chunksOf(group[0]!).keys()];
    const starts = numbers.filter((chunk) => chunk % together === 0);
    return starts.map((start) => ({ videos: group, chunks: numbers.slice(start, start + together) }));
  });
  return { stretches, pipelines };
}

/** The total progress of several requests. */
class SummedProgress {
  readonly #report: (frames: number) => void;
  readonly #done = new Map<Stretch, number>();

  constructor(report: (frames: number) => void) {
    this.#report = report;
  }

  of(stretch: Stretch): (progress: { readonly done: number; readonly total: number }) => void {
    return ({ done, total }) => {
      this.#done.set(stretch, Math.min(done, total));
      this.#report([...this.#done.values()].reduce((sum, frames) => sum + frames, 0));
    };
  }
}
