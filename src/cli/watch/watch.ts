import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { ExportError } from '../../errors.ts';
import { FileWatch } from '../../platform/file-watch.ts';
import { secondsOf } from '../../time.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { errorLines, type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { KnownMedia } from '../project/known-media.ts';
import { formatByEnding, requireNoFolder } from '../project/output-file.ts';
import { planProject } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';
import { minutesSeconds, RenderMeter } from '../render/render-meter.ts';
import { LocalChunkCache } from './local-chunk-cache.ts';
import { renderChanged } from './render-changed.ts';

/** The folder of rendered chunks, beside the project. */
export const CACHE = '.tiercut-cache';

/**
 * `tiercut watch PROJECT.json -o OUT.mp4`: renders the video again whenever the project or one of its media is saved. A
 * change during a render starts the next one at once; errors are printed, and the command waits for the next change.
 */
export async function watchCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('watch', args);
  formatByEnding(options.out, { mp4: 'mp4' });
  await requireNoFolder(options.out);
  const { chunkCacheBytes } = readConfig();
  const cache = await LocalChunkCache.open(options.cache ?? join(dirname(file), CACHE), chunkCacheBytes);
  await using web = new WebMedia('watch', options['media-url'], terminal.status);
  const known = new KnownMedia();
  let round = new AbortController();
  using files = new FileWatch(() => round.abort());
  await files.set([file]);
  while (!terminal.signal.aborted) {
    round = new AbortController();
    const changed = round.signal;
    const signal = AbortSignal.any([changed, terminal.signal]);
    let watched: Promise<void> = Promise.resolve();
    const onMedia = (media: readonly string[]) => {
      watched = files.set([file, ...media]);
    };
    try {
      await makeVideo(file, { ...options, web, signal, known, onMedia }, cache, terminal);
    } catch (error) {
      if (!signal.aborted) {
        if (!(error instanceof ExportError)) throw error;
        for (const line of errorLines(error)) terminal.err(line);
      }
    }
    await watched;
    if (!signal.aborted) {
      terminal.err('Waiting for the next change; Ctrl-C ends.');
      await once(signal, 'abort');
    }
  }
  return 0;
}

interface WatchedProject {
  readonly out: string;
  readonly preset: string | undefined;
  readonly web: WebMedia;
  readonly signal: AbortSignal;
  readonly known: KnownMedia;
  readonly onMedia: (media: readonly string[]) => void;
}

async function makeVideo(
  file: string,
  options: WatchedProject,
  cache: LocalChunkCache,
  terminal: WorkTerminal,
): Promise<void> {
  const { out, signal } = options;
  const startedAtMs = performance.now();
  const project = await planProject(file, options);
  const { warnings, totalFrames, rate } = project.plan;
  for (const issue of warnings) terminal.err(warningText(issue));
  let meter: RenderMeter | null = null;
  try {
    const { chunks, kept } = await renderChanged(project, resolve(out), cache, {
      signal,
      warn: (issue) => terminal.err(warningText(issue)),
      progress: (done, total) => {
        meter ??= new RenderMeter(total, rate, () => performance.now());
        terminal.status.show(meter.text(done));
      },
    });
    const { size } = await stat(out);
    const took = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    const length = minutesSeconds(secondsOf(totalFrames, rate));
    terminal.status.end();
    terminal.out(
      `${out}: ${length} of video in ${took} s, ${chunks - kept} of ${chunks} chunks rendered, ${(size / 1e6).toFixed(1)} MB`,
    );
  } finally {
    terminal.status.end();
  }
}
