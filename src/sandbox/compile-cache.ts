import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { childLimits } from './host/child-limits.ts';
import { launchRenderChild } from './render-child.ts';

/** Our own code. What is installed changes with it: a release pins all it depends on. */
const CODE = resolve(import.meta.dirname, '..');

/** Says in the folder which code it was filled from. */
const NOTE = 'filled-from';

/**
 * Fills a folder with the compiled code of the render program, which makes children that are given it start three times
 * as fast. Worth it for a service; the folder must be one that nobody else can write to, since its content is executed.
 *
 * Runs the program once outside the jail, without media: from inside it can only be read, lest one render leaves code
 * for the next. A folder that was filled from this very code is left as it is: a service that starts again is up sooner.
 *
 * @param parent where the folder it needs for a moment is made.
 */
export async function warmCompileCache(folder: string, parent = tmpdir()): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const note = join(folder, NOTE);
  const code = await codeState();
  if ((await readFile(note, 'utf8').catch(() => '')) === code) return;
  const workDir = await mkdtemp(join(parent, 'tiercut-warm-up-'));
  try {
    await using child = await launchRenderChild({
      mode: 'off',
      inputs: [],
      workDir,
      limits: childLimits(0),
      compileCacheDir: folder,
    });
    await child.request('warm_up', null);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  await writeFile(note, code);
}

/** Another text whenever a file of ours, or Node, is another. A file that is wrongly taken for the same costs time only: Node compares. */
async function codeState(): Promise<string> {
  const entries = await readdir(CODE, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const states = await Promise.all(
    files.sort().map(async (file) => {
      const { size, mtimeMs } = await stat(file);
      return `${file} ${size} ${mtimeMs}`;
    }),
  );
  const digest = createHash('sha256').update(states.join('\n')).digest('hex');
  return `${process.version} ${process.arch} ${digest}`;
}
