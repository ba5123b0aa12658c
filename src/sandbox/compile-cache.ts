import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childLimits } from './host/child-limits.ts';
import { launchRenderChild } from './render-child.ts';

/**
 * Fills a folder with the compiled code of the render program, which makes children that are given it start three times
 * as fast. Worth it for a service; the folder must be one that nobody else can write to, since its content is executed.
 *
 * Runs the program once outside the jail, without media: from inside it can only be read, lest one render leaves code
 * for the next.
 *
 * @param parent where the folder it needs for a moment is made.
 */
export async function warmCompileCache(folder: string, parent = tmpdir()): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
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
}
