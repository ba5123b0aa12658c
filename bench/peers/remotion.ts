import { access, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BenchRender } from '../render/timelines.ts';
import type { Still } from './stills.ts';

/** The program in a folder where `npm install @remotion/cli remotion react react-dom` was run; null if it was not. */
export async function findRemotion(folder: string | undefined): Promise<string | null> {
  if (folder === undefined) return null;
  const program = join(folder, 'node_modules', '.bin', 'remotion');
  return access(program).then(
    () => program,
    () => null,
  );
}

/** The same as a Remotion project: a sequence for each clip, and one for each still above them. */
export async function remotionArguments(
  { plan, files }: BenchRender,
  stills: readonly Still[],
  install: string,
  folder: string,
  out: string,
  browser: string | undefined,
): Promise<string[]> {
  const project = join(folder, 'remotion');
  const assets = join(project, 'public');
  await mkdir(assets, { recursive: true });
  await symlink(join(install, 'node_modules'), join(project, 'node_modules')).catch(keepWhatIsThere);
  for (const file of [...files.values(), ...stills.map((still) => still.file)]) {
    await link(file, join(assets, basename(file))).catch(keepWhatIsThere);
  }
  const clips = plan.clips.map(({ source, trim, shows }) => ({
    file: basename(files.get(source)!),
    from: shows.start,
    frames: shows.end - shows.start,
    skip: Math.round((trim.start * plan.rate.num) / plan.rate.den / 1e6),
  }));
  const pictures = stills.map(({ file, rect, start, end }) => {
    return { file: basename(file), from: start, frames: end - start, rect };
  });
  const { canvas, rate, totalFrames, encoder } = plan;
  await writeFile(
    join(project, 'index.jsx'),
    `import { createElement as h } from 'react';
import { AbsoluteFill, Composition, Img, OffthreadVideo, Sequence, registerRoot, staticFile } from 'remotion';
const clips = ${JSON.stringify(clips)};
const pictures = ${JSON.stringify(pictures)};
const Board = () => h(AbsoluteFill, null,
  clips.map(({ file, from, frames, skip }) => h(Sequence, { key: from, from, durationInFrames: frames },
    h(OffthreadVideo, { src: staticFile(file), startFrom: skip, muted: true }))),
  pictures.map(({ file, from, frames, rect }) => h(Sequence, { key: file, from, durationInFrames: frames },
    h(Img, { src: staticFile(file), style: { position: 'absolute', left: rect.x, top: rect.y } }))));
registerRoot(() => h(Composition, { id: 'board', component: Board, durationInFrames: ${totalFrames},
  fps: ${rate.num / rate.den}, width: ${canvas.width}, height: ${canvas.height} }));
`,
  );
  return [
    ...['render', join(project, 'index.jsx'), 'board', out, '--public-dir', assets, '--overwrite', '--log', 'error'],
    ...[
      '--codec',
      'h264',
      '--crf',
      String(encoder.crf),
      '--x264-preset',
      encoder.preset,
      '--gop',
      String(encoder.keyframeEvery),
    ],
    ...['--enforce-audio-track', '--color-space', 'bt709'],
    ...(browser === undefined ? [] : ['--browser-executable', browser]),
  ];
}

/** The project is made anew for every round, its files are not. */
function keepWhatIsThere(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'EEXIST') throw cause;
}
