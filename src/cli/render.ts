import { stat } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { readConfig } from '../config/config.ts';
import type { Issue } from '../errors.ts';
import type { Frames } from '../time.ts';
import { readArguments } from './command-line/read-arguments.ts';
import { formatByEnding } from './output-file.ts';
import { type PlannedShapes, planAllShapes, planProject } from './plan-project.ts';
import { RenderMeter } from './render/render-meter.ts';
import { renderVideos, type Video } from './render/render-videos.ts';
import { type WorkTerminal, warningText } from './terminal.ts';

/**
 * `tiercut render PROJECT.json -o OUT.mp4`: the whole video, made in jailed children; with `--preset all` every shape of it, as
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
  const videos = shapes.map((shape, i) => ({ ...shape, out: resolve(places[i]!) })) as [Video, ...Video[]];
  const { peakRssBytes } = await renderVideos(videos, host, readConfig(), {
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
