import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issue } from '../../errors.ts';
import { frameAtTime } from '../../plan/frame-plan.ts';
import { readArguments, secondsOption } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { formatByEnding, requireNoFolder, workFolderBeside } from '../project/output-file.ts';
import { planProject } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';

/** `tiercut frame PROJECT.json --at T -o OUT.png`: one frame, exactly as in the video. (R4, C39) */
export async function frameCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('frame', args);
  const at = secondsOption(options.at);
  const format = formatByEnding(options.out, { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' } as const);
  await requireNoFolder(options.out);
  const { signal } = terminal;
  await using web = new WebMedia('frame', options['media-url'], terminal.status);
  const { plan, files, host } = await planProject(file, {
    preset: options.preset,
    values: options.values,
    web,
    signal,
  });
  const frame = frameAtTime(plan, at, { name: '--at' });
  const warn = (issue: Issue) => terminal.err(warningText(issue));
  plan.warnings.forEach(warn);
  await using folder = await workFolderBeside(options.out);
  const inputs = files.map(([, path]) => path);
  await using child = await host.open({ inputs, workDir: folder.path, duration: 0, signal });
  const picture = join(folder.path, `frame.${format}`);
  const params = { plan, files, limits: host.mediaLimits, frame, out: picture, format } as const;
  const { width, height } = await child.request('render_still', params, { signal, onWarning: warn });
  await rename(picture, options.out);
  terminal.out(`${options.out}: frame ${frame}, ${width}×${height}`);
  return 0;
}
