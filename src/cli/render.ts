import { rename, stat } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import type { Issue } from '../errors.ts';
import type { RenderHost } from '../sandbox/render-host.ts';
import { type Frames, secondsOf } from '../time.ts';
import { readArguments } from './command-line/read-arguments.ts';
import { formatByEnding, workFolderBeside } from './output-file.ts';
import { type PlannedShape, type PlannedShapes, planAllShapes, planProject } from './plan-project.ts';
import { RenderMeter } from './render-meter.ts';
import { type WorkTerminal, warningText } from './terminal.ts';

/**
 * `tiercut render PROJECT.json -o OUT.mp4`: the whole video, made in a jailed child; with `--preset all` every shape of it, as
 * `OUT-<preset>.mp4`. Nothing is left behind but the videos.
 */
export async function renderCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('render', args);
  formatByEnding(options.out, { mp4: 'mp4' });
  const { signal } = terminal;
  const isAll = options.preset === 'all';
  const { shapes, host } = isAll ? await planAllShapes(file, { signal }) : await planOne(file, options.preset, signal);
  const total = shapes.reduce((frames, { plan }) => frames + plan.totalFrames, 0);
  const { rate, warnings } = shapes[0].plan;
  const meter = new RenderMeter(total as Frames, rate, () => performance.now());
  const tell = (event: string, detail: object) => terminal.out(JSON.stringify({ event, ...detail }));
  const warn = (issue: Issue) => {
    if (options.json) tell('warning', issue);
    else terminal.err(warningText(issue));
  };
  warnings.forEach(warn);

  const places = shapes.map(({ plan }) => (isAll ? beside(options.out, plan.preset) : options.out));
  const videos = shapes.map((shape, i) => ({ ...shape, out: resolve(places[i]!) }));
  const { peakRssBytes } = await renderTo(videos, host, {
    signal,
    warn,
    progress: (done) => {
      if (options.json) tell('progress', { frames: done, total });
      else terminal.status.show(meter.text(done));
    },
  }).finally(() => terminal.status.end());
  for (const [i, { out, plan }] of videos.entries()) {
    const { size } = await stat(out);
    if (options.json) tell('done', { out, bytes: size, frames: plan.totalFrames, peakRssBytes });
    else terminal.out(`${places[i]}: ${meter.summary(size)}`);
  }
  return 0;
}

async function planOne(file: string, preset: string | undefined, signal: AbortSignal): Promise<PlannedShapes> {
  const { plan, files, host } = await planProject(file, { preset, signal });
  return { shapes: [{ plan, files }], host };
}

/** `videos/out.mp4` becomes `videos/out-preset_two.mp4`. */
function beside(out: string, preset: string): string {
  const { dir, name, ext } = parse(out);
  return join(dir, `${name}-${preset}${ext}`);
}

interface RenderHooks {
  readonly signal: AbortSignal;
  readonly warn: (issue: Issue) => void;
  readonly progress: (frames: number) => void;
}

interface Video extends PlannedShape {
  readonly out: string;
}

/** Renders beside the place the videos go to, so that they can be moved there in one step. */
async function renderTo(
  videos: readonly Video[],
  host: RenderHost,
  hooks: RenderHooks,
): Promise<{ peakRssBytes: number }> {
  const { signal, warn: onWarning } = hooks;
  const first = videos[0]!;
  await using folder = await workFolderBeside(first.out);
  const workDir = folder.path;
  const { totalFrames, rate } = first.plan;
  const duration = secondsOf(totalFrames, rate) * videos.length;
  const inputs = [...new Set(videos.flatMap(({ files }) => files.map(([, path]) => path)))];
  await using child = await host.open({ inputs, workDir, duration, signal });
  const limits = host.mediaLimits;
  const audioFile = join(workDir, 'sound.m4a');
  const shapes = videos.map(({ plan, files }) => {
    const jobs = plan.chunks.map((range, i) => ({ range, out: join(workDir, `${plan.preset}-${i}.mp4`) }));
    return { plan, files, jobs };
  });
  const onProgress = ({ done }: { done: number }) => hooks.progress(done);
  await Promise.all([
    child.request(
      'render_sound',
      { plan: first.plan, files: first.files, limits, out: audioFile },
      { signal, onWarning },
    ),
    child.request('render_shapes', { shapes, limits }, { signal, onWarning, onProgress }),
  ]);
  for (const [i, { plan, jobs }] of shapes.entries()) {
    const video = join(workDir, `${plan.preset}.mp4`);
    const chunkFiles = jobs.map((job) => job.out);
    await child.request('assemble', { plan, chunkFiles, audioFile, out: video }, { signal });
    await rename(video, videos[i]!.out);
  }
  return { peakRssBytes: child.peakRssBytes };
}
