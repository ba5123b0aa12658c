import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childLimits } from './host/child-limits.ts';
import { inheritable } from './jail/descriptors.ts';
import type { JailReport, SandboxMode } from './jail/sandbox-mode.ts';
import type { SelfTestRow } from './jail/self-test.ts';
import { launchRenderChild } from './render-child.ts';

/** How well renders are jailed on this machine: for the log at start, for /readyz and for `tiercut doctor`. */
export interface SandboxStatus extends JailReport {
  readonly mode: SandboxMode;
  /** The attempts from inside, and their results. */
  readonly selfTest: readonly SelfTestRow[];
  /** Every layer is active and every attempt went as expected. */
  readonly complete: boolean;
}

/**
 * Starts a child in the jail that renders would get, and lets it test the layers.
 *
 * @param parent where its temporary folder is made.
 * @throws `sandbox.incomplete` if the mode is `required` and a layer is missing.
 */
export async function sandboxStatus(mode: SandboxMode = 'auto', parent = tmpdir()): Promise<SandboxStatus> {
  const folder = await mkdtemp(join(parent, 'tiercut-self-test-'));
  try {
    const paths = {
      input: join(folder, 'uploads', 'input'),
      sibling: join(folder, 'uploads', 'sibling'),
      outside: join(folder, 'outside'),
      workDir: join(folder, 'work'),
      lent: join(folder, 'lent', 'file'),
    };
    for (const name of ['uploads', 'outside', 'work', 'lent']) await mkdir(join(folder, name));
    for (const file of [paths.input, paths.sibling, paths.lent]) await writeFile(file, 'self-test');
    await using held = await open(paths.sibling);
    using _inherited = inheritable(held.fd);
    await using child = await launchRenderChild({
      mode,
      inputs: [paths.input],
      workDir: paths.workDir,
      lentDir: join(folder, 'lent'),
      limits: childLimits(0),
    });
    const selfTest = await child.request('self_test', paths);
    const complete = child.jail.missing.length === 0 && selfTest.every(({ passed }) => passed);
    return { mode, ...child.jail, selfTest, complete };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
