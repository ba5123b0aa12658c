import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ExportError } from '../errors.ts';
import { type Frames, frameShownAt } from '../time.ts';
import { shownText } from '../timeline/json/shown-value.ts';
import { planProject } from './plan-project.ts';
import type { WorkTerminal } from './terminal.ts';

const USAGE = 'tiercut frame PROJECT.json --at SECONDS -o OUT.png [--preset NAME]';

/** `tiercut frame PROJECT.json --at T -o OUT.png`: one frame of the video, exactly as the video will have it. (R4) */
export async function frameCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { at: { type: 'string' }, out: { type: 'string', short: 'o' }, preset: { type: 'string' } },
  });
  const [file, ...others] = positionals;
  const at = Number(values.at ?? Number.NaN);
  if (file === undefined || values.out === undefined || others.length > 0 || !(at >= 0)) {
    throw new ExportError('invalid', 'cli.usage', USAGE);
  }
  const format = { '.png': 'png', '.jpg': 'jpeg', '.jpeg': 'jpeg' }[extname(values.out).toLowerCase()];
  if (format !== 'png' && format !== 'jpeg') {
    throw new ExportError(
      'invalid',
      'cli.usage',
      `The picture must be a .png or a .jpg, not ${shownText(values.out)}.`,
    );
  }
  const { signal } = terminal;
  const { plan, files, host } = await planProject(file, { preset: values.preset, signal });
  // The end of the last frame is what people mean by the video's last second.
  const frame = Math.min(frameShownAt(at, plan.rate), plan.totalFrames - 1) as Frames;
  const out = resolve(values.out);
  const workDir = await mkdtemp(join(dirname(out), '.tiercut-'));
  try {
    await using child = await host.open({ inputs: files.map(([, path]) => path), workDir, duration: 0, signal });
    const picture = join(workDir, `frame.${format}`);
    const params = { plan, files, limits: host.mediaLimits, frame, out: picture, format } as const;
    const { width, height } = await child.request('render_still', params, { signal });
    await rename(picture, out);
    terminal.out(`${values.out}: frame ${frame}, ${width}×${height}`);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  return 0;
}
