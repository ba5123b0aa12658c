import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makePlanetsMedia } from './planets/media.ts';

/** `npm run example [-- --preset NAME]`: makes the media, then the video, with the command line's own `render`. */

const ROOT = join(import.meta.dirname, '..');
const { preset } = parseArgs({ options: { preset: { type: 'string' } } }).values;
const out = join('out', preset === undefined ? 'planets.mp4' : `planets-${preset}.mp4`);

let shown = '';
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
try {
  await makePlanetsMedia(join(import.meta.dirname, 'media'), { signal: stop.signal, onProgress: show });
  if (shown !== '' && process.stderr.isTTY) process.stderr.write('\n');
  process.exitCode = await render();
} catch (error) {
  if (!stop.signal.aborted) throw error;
  process.exitCode = 130;
}

/** On a terminal one line that changes, elsewhere a line for each file. */
function show(done: number, file: string): void {
  const text = `making media ${String(Math.floor(done * 100)).padStart(3)} %  ${file}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (file !== shown) process.stderr.write(`${text}\n`);
  shown = file;
}

async function render(): Promise<number> {
  await mkdir(join(ROOT, 'out'), { recursive: true });
  const project = join('examples', 'planets', 'project.json');
  const args = ['build/run.ts', 'render', project, '-o', out, ...(preset === undefined ? [] : ['--preset', preset])];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
