import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Issue } from '../../errors.ts';
import { readWantedThumbnail, THUMBNAIL_FIELDS } from '../../timeline/wanted-fields.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { formatByEnding, requireNoFolder, workFolderBeside } from '../project/output-file.ts';
import { planProjectThumbnail } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';

/** `tiercut thumbnail PROJECT.json -o OUT.jpg`: a thumbnail, as the service draws it. (R39) */
export async function thumbnailCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: file, options } = readArguments('thumbnail', args);
  const format = formatByEnding(options.out, { jpg: 'jpeg', jpeg: 'jpeg', png: 'png' } as const);
  const given = THUMBNAIL_FIELDS.map((name) => [name, options[name]] as const);
  const texts = given.filter((each): each is readonly [(typeof each)[0], string] => each[1] !== undefined);
  const wanted = readWantedThumbnail(new Map(texts));
  await requireNoFolder(options.out);
  const { signal } = terminal;
  await using web = new WebMedia('thumbnail', options['media-url'], terminal.status);
  const { plan, files, host } = await planProjectThumbnail(file, wanted, { values: options.values, web, signal });
  const warn = (issue: Issue) => terminal.err(warningText(issue));
  plan.warnings.forEach(warn);
  await using folder = await workFolderBeside(options.out);
  const inputs = files.map(([, path]) => path);
  await using child = await host.open({ inputs, workDir: folder.path, duration: 0, signal });
  const picture = join(folder.path, `thumbnail.${format}`);
  const params = { plan, files, limits: host.mediaLimits, out: picture, format };
  const { width, height } = await child.request('paint_thumbnail', params, { signal, onWarning: warn });
  await rename(picture, options.out);
  terminal.out(`${options.out}: ${plan.style}, ${width}×${height}`);
  return 0;
}
