import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { decodePicture } from '../engine/compose/decode-picture.ts';
import { DEFAULT_MEDIA_LIMITS } from '../engine/input/media-limits.ts';
import { ExportError } from '../errors.ts';
import { paintBoardPicture } from '../paint/skia/board-picture.ts';
import { type Frames, frameShownAt } from '../time.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { planProject } from './plan-project.ts';
import type { Terminal } from './terminal.ts';

const USAGE = 'tiercut board PROJECT.json -o FILE.png [--at SECONDS] [--preset NAME]';

/** `tiercut board PROJECT.json`: the board as it stands at a time, or finished, as a picture. */
export async function boardCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      at: { type: 'string' },
      preset: { type: 'string' },
      facts: { type: 'string' },
      output: { type: 'string', short: 'o' },
    },
  });
  const [project, ...others] = positionals;
  if (project === undefined || others.length > 0 || values.output === undefined) {
    throw new ExportError('invalid', 'cli.usage', USAGE);
  }
  const at = values.at === undefined ? null : secondsIn(values.at);
  const { plan, files } = await planProject(project, values);
  const frame = at === null ? ((plan.totalFrames - 1) as Frames) : frameShownAt(at, plan.rate);
  const byField = new Map(files.map(([source, path]) => [plan.sources[source]!.field, path]));
  const decode = (path: string, mostPx: number) => decodePicture(path, { limits: DEFAULT_MEDIA_LIMITS, mostPx });
  const { png, width, height, warnings } = await paintBoardPicture({ plan, files: byField, decode }, frame);
  for (const { path, code, message } of [...plan.warnings, ...warnings]) terminal.err(`${path} ${code}: ${message}`);
  await writeFile(values.output, png);
  terminal.out(`${values.output}: ${width}×${height}`);
  return 0;
}

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new ExportError('invalid', 'cli.usage', `--at must be seconds from 0 up, not ${shownText(text)}.`);
}
