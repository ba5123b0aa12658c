import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeToRgba } from '../../engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../../engine/input/media-limits.ts';
import { paintBoardPicture } from '../../paint/skia/board-picture.ts';
import { frameAtTime } from '../../plan/frame-plan.ts';
import type { Frames } from '../../time.ts';
import { readArguments, secondsOption } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { formatByEnding, requireNoFolder, unwritable } from '../project/output-file.ts';
import { planProject } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';

/** `tiercut board PROJECT.json`: the board at a time, or finished, as a picture. */
export async function boardCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: project, options } = readArguments('board', args);
  const format = formatByEnding(options.out, { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' } as const);
  await requireNoFolder(options.out);
  const at = options.at === undefined ? null : secondsOption(options.at);
  await using web = new WebMedia('board', options['media-url'], terminal.status);
  const { plan, files } = await planProject(project, { ...options, web, signal: terminal.signal });
  const frame = at === null ? ((plan.totalFrames - 1) as Frames) : frameAtTime(plan, at, { name: '--at' });
  const byField = new Map(files.map(([source, path]) => [plan.sources[source]!.field, path]));
  const decode = (path: string, maxPx: number) => decodeToRgba(path, { limits: DEFAULT_MEDIA_LIMITS, maxPx });
  const order = { plan, files: byField, decode };
  const { picture, width, height, warnings } = await paintBoardPicture(order, frame, format);
  for (const issue of [...plan.warnings, ...warnings]) terminal.err(warningText(issue));
  await writeFile(options.out, picture).catch((cause: unknown) => {
    throw unwritable(dirname(options.out), cause);
  });
  terminal.out(`${options.out}: ${width}×${height}`);
  return 0;
}
