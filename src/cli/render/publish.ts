import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { captionsText } from '../../plan/captions-text.ts';
import { type PublishingKit, publishedOf, publishingKit } from '../../plan/publishing-kit.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { type WorkTerminal, warningText } from '../command-line/terminal.ts';
import { formatByEnding, requireNoFolder, unwritable } from '../project/output-file.ts';
import { planProject } from '../project/plan-project.ts';
import { WebMedia } from '../project/web-media.ts';

/** `tiercut publish PROJECT.json`: what a person pastes where the video is published, and the captions as a file. (R40) */
export async function publishCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { operand: project, options } = readArguments('publish', args);
  const { captions: file } = options;
  const format = file === undefined ? null : formatByEnding(file, { srt: 'srt', vtt: 'vtt' } as const);
  if (file !== undefined) await requireNoFolder(file);
  await using web = new WebMedia('publish', options['media-url'], terminal.status);
  const { plan, request } = await planProject(project, { ...options, web, signal: terminal.signal });
  for (const issue of plan.warnings) terminal.err(warningText(issue));
  const kit = publishingKit(plan, publishedOf(request));
  if (file !== undefined && format !== null) {
    await writeFile(file, captionsText(plan, format)).catch((cause: unknown) => {
      throw unwritable(dirname(file), cause);
    });
  }
  const { hasCaptions: _, ...texts } = kit;
  terminal.out(options.json ? JSON.stringify(texts, null, 2) : shown(kit));
  return 0;
}

function shown({ title, description, tags }: PublishingKit): string {
  const parts = [
    ['Title', title],
    ['Description', description],
    ['Tags', tags.join(', ')],
  ];
  return parts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}:\n${text}`)
    .join('\n\n');
}
