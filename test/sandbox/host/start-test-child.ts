import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { JailedChild } from '../../../src/sandbox/host/jailed-child.ts';
import type { LaunchOptions } from '../../../src/sandbox/host/launch-options.ts';
import type { ScratchFolder } from '../scratch-folder.ts';
import { TEST_PROGRAM, type TestOperations } from './test-program.ts';

const codeDir = mkdtempSync(join(tmpdir(), 'tiercut-test-cache-'));
process.on('exit', () => rmSync(codeDir, { recursive: true, force: true }));
let warm: Promise<void> | undefined;

/** A child with the test program, in whatever jail there is. */
export async function startTestChild(
  folder: ScratchFolder,
  options: Partial<LaunchOptions> = {},
): Promise<JailedChild<TestOperations>> {
  warm ??= fillCompileCache(folder);
  await warm;
  return JailedChild.start(TEST_PROGRAM, { ...usualOptions(folder), ...options });
}

/** Only a child outside the jail can write the cache. */
async function fillCompileCache(folder: ScratchFolder): Promise<void> {
  await using _child = await JailedChild.start(TEST_PROGRAM, { ...usualOptions(folder), mode: 'off' });
}

function usualOptions({ upload, workDir }: ScratchFolder): LaunchOptions {
  return { mode: 'auto', inputs: [upload], workDir, limits: childLimits(10), codeDir };
}
