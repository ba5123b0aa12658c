import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { ExportError, type Issue } from '../../errors.ts';
import type { RenderPlan, Short } from '../../plan/model/render-plan.ts';
import { cutOutput, shortName } from '../../plan/plan-outline.ts';
import type { RenderHost } from '../../sandbox/render-host.ts';
import { type Frames, frames, secondsOf } from '../../time.ts';
import { fileEnding } from '../../timeline/presets.ts';
import { requireNoWarnings, STRICT } from '../../timeline/request-documents.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { beside, formatByEnding, requireNoFolder, workFolderBeside } from '../project/output-file.ts';
import { type PlannedPresets, planAllPresets, planProject, planShorts } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';
import { minutesSeconds, RenderMeter } from './render-meter.ts';
import { renderVideos, type Video } from './render-videos.ts';

/**
 * `tiercut render PROJECT.json -o OUT.mp4`: renders the video in jailed children. `--preset all` renders every preset
 * as `OUT-<alias>.mp4`, `--shorts` the shorts as `OUT-short-<n>.mp4`. Leaves no files but the videos.
 */
export async function renderCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('render', args);
  formatByEnding(options.out, { mp4: 'mp4' });
  await requireNoFolder(options.out);
  const { signal } = terminal;
  await using web = new WebMedia('render', options['media-url'], terminal.status);
  const { videos, host } = await plannedVideos(file, options, { values: options.values, web, signal });
  for (const { place } of videos) await requireNoFolder(place);
  const refuse = (found: readonly Issue[]) => requireNoWarnings(new Map([[STRICT, String(options.strict)]]), found);
  refuse(videos[0].plan.warnings);
  if (options.strict) refuse(await paintedWarnings(videos[0], host, signal));
  const total = videos.reduce((sum, { plan, cut = plan }) => sum + cut.totalFrames, 0);
  const { rate, warnings } = videos[0].plan;
  const meter = new RenderMeter(total as Frames, rate, () => performance.now());
  const printEvent = (event: string, detail: object) => terminal.out(JSON.stringify({ event, ...detail }));
  const refused = new AbortController();
  const warn = (issue: Issue) => {
    const { code, message, path } = issue;
    // What only the frames and the sound of the whole video show.
    if (options.strict) refused.abort(new ExportError('invalid', code, message, { path }));
    else if (options.json) printEvent('warning', issue);
    else terminal.err(warningText(issue));
  };
  warnings.forEach(warn);

  const { peakRssBytes } = await renderVideos(videos, host, readConfig(), {
    signal: AbortSignal.any([signal, refused.signal]),
    warn,
    progress: (done) => {
      if (options.json) printEvent('progress', { frames: done, total });
      else terminal.status.show(meter.text(done));
    },
  })
    .catch((error: unknown) => {
      throw refused.signal.reason ?? error;
    })
    .finally(() => terminal.status.end());
  for (const { out, place, plan, cut = plan } of videos) {
    const { size } = await stat(out);
    if (options.json) printEvent('done', { out, bytes: size, frames: cut.totalFrames, peakRssBytes });
    else {
      const isOnly = videos.length === 1;
      const made = isOnly ? meter.summary() : minutesSeconds(secondsOf(cut.totalFrames, rate));
      terminal.out(`${place}: ${made}, ${(size / 1e6).toFixed(1)} MB`);
    }
  }
  if (videos.length > 1 && !options.json) terminal.out(`${videos.length} videos: ${meter.summary()}`);
  return 0;
}

/** What a painter finds in the first frame: pictures that cannot be decoded, letters that no font has. (C90) */
async function paintedWarnings({ plan, files, out }: Video, host: RenderHost, signal: AbortSignal): Promise<Issue[]> {
  await using folder = await workFolderBeside(out);
  const inputs = files.map(([, path]) => path);
  await using child = await host.open({ inputs, workDir: folder.path, duration: 0, signal });
  const found: Issue[] = [];
  const picture = { frame: frames(0), out: join(folder.path, 'frame.jpg'), format: 'jpeg' } as const;
  const options = { signal, onWarning: (issue: Issue) => found.push(issue) };
  await child.request('render_still', { plan, files, limits: host.mediaLimits, ...picture }, options);
  return found;
}

/** A video, and its output path as given. */
type PlacedVideo = Video & { readonly place: string };

interface MediaSource {
  readonly values: string | undefined;
  readonly web: WebMedia;
  readonly signal: AbortSignal;
}

async function plannedVideos(
  file: string,
  { preset, shorts, out }: { readonly preset: string | undefined; readonly shorts: boolean; readonly out: string },
  source: MediaSource,
): Promise<{ videos: readonly [PlacedVideo, ...PlacedVideo[]]; host: RenderHost }> {
  const placed = (planned: Omit<Video, 'out'>, place: string): PlacedVideo => ({
    ...planned,
    place,
    out: resolve(place),
  });
  if (shorts) {
    if (preset !== undefined) {
      throw new ExportError('invalid', 'cli.usage', '--shorts are cut from the portrait preset; leave --preset out.');
    }
    const { plan, files, host } = await planShorts(file, source);
    const videos = plan.shorts.map((short, i) => {
      return placed({ plan, files, cut: cutPlan(plan, short, i + 1) }, beside(out, `short-${i + 1}`));
    });
    return { videos: videos as [PlacedVideo, ...PlacedVideo[]], host };
  }
  const isAll = preset === 'all';
  const { presets, host } = isAll ? await planAllPresets(file, source) : await planOne(file, preset, source);
  const known = readConfig().presets;
  const videos = presets.map((planned) =>
    placed(planned, isAll ? beside(out, fileEnding(known, planned.plan.preset)) : out),
  );
  return { videos: videos as [PlacedVideo, ...PlacedVideo[]], host };
}

/** The part of the plan that the assembly of a short needs. (C52) */
function cutPlan(
  { canvas, rate, encoder, ...whole }: RenderPlan,
  short: Short,
  number: number,
): NonNullable<Video['cut']> {
  const { totalSamples, ...cut } = cutOutput({ ...whole, rate }, short);
  return { canvas, rate, encoder, ...cut, preset: shortName(number), audio: { totalSamples } };
}

async function planOne(file: string, preset: string | undefined, source: MediaSource): Promise<PlannedPresets> {
  const { plan, files, host } = await planProject(file, { preset, ...source });
  return { presets: [{ plan, files }], host };
}
