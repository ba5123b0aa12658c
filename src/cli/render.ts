import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ExportError, type Issue } from '../errors.ts';
import { type Frames, secondsOf } from '../time.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { type PlannedProject, planProject } from './plan-project.ts';
import { RenderMeter } from './render-meter.ts';
import type { WorkTerminal } from './terminal.ts';

const USAGE = 'tiercut render PROJECT.json -o OUT.mp4 [--preset NAME] [--json]';

/** `tiercut render PROJECT.json -o OUT.mp4`: the whole video, made in a jailed child. Nothing is left behind but the video. */
export async function renderCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: 'string', short: 'o' }, preset: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [file, ...others] = positionals;
  if (file === undefined || values.out === undefined || others.length > 0) {
    throw new ExportError('invalid', 'cli.usage', USAGE);
  }
  const { signal } = terminal;
  const project = await planProject(file, { preset: values.preset, signal });
  const { plan } = project;
  const meter = new RenderMeter(plan.totalFrames, plan.rate, () => performance.now());
  const tell = (event: string, detail: object) => terminal.out(JSON.stringify({ event, ...detail }));
  const warn = (issue: Issue) => {
    if (values.json) tell('warning', issue);
    else terminal.err(`warning: ${issue.path || '(request)'} ${issue.code}: ${issue.message}`);
  };
  plan.warnings.forEach(warn);

  const out = resolve(values.out);
  const { peakRssBytes } = await renderTo(out, project, {
    signal,
    warn,
    progress: (done) => {
      if (values.json) tell('progress', { frames: done, total: plan.totalFrames });
      else terminal.status.show(meter.text(done));
    },
  }).finally(() => terminal.status.end());
  const { size } = await stat(out);
  if (values.json) tell('done', { out, bytes: size, frames: plan.totalFrames, peakRssBytes });
  else terminal.out(`${values.out}: ${meter.summary(size)}`);
  return 0;
}

interface RenderHooks {
  readonly signal: AbortSignal;
  readonly warn: (issue: Issue) => void;
  readonly progress: (frames: number) => void;
}

/** Renders beside the place the video goes to, so that it can be moved there in one step. */
async function renderTo(
  out: string,
  { plan, files, host }: PlannedProject,
  hooks: RenderHooks,
): Promise<{ peakRssBytes: number }> {
  const { signal, warn: onWarning } = hooks;
  const workDir = await mkdtemp(join(dirname(out), '.tiercut-')).catch((cause: unknown) => {
    const message = `The folder ${shownText(dirname(out))} cannot be written to.`;
    throw new ExportError('invalid', 'cli.unwritable', message, { cause });
  });
  try {
    const duration = secondsOf(plan.totalFrames as Frames, plan.rate);
    const inputs = files.map(([, path]) => path);
    await using child = await host.open({ inputs, workDir, duration, signal });
    const common = { plan, files, limits: host.mediaLimits };
    const audioFile = join(workDir, 'sound.m4a');
    const jobs = plan.chunks.map((range, i) => ({ range, out: join(workDir, `chunk-${i}.mp4`) }));
    await Promise.all([
      child.request('render_sound', { ...common, out: audioFile }, { signal, onWarning }),
      child.request(
        'render_chunks',
        { ...common, jobs },
        { signal, onWarning, onProgress: ({ done }) => hooks.progress(done) },
      ),
    ]);
    const video = join(workDir, 'video.mp4');
    const chunkFiles = jobs.map((job) => job.out);
    await child.request('assemble', { plan, chunkFiles, audioFile, out: video }, { signal });
    await rename(video, out);
    return { peakRssBytes: child.peakRssBytes };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}
