import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { JailedChild } from '../../../src/sandbox/host/jailed-child.ts';
import type { LaunchOptions } from '../../../src/sandbox/host/launch-options.ts';
import type { ScratchFolder } from '../scratch-folder.ts';
import { TEST_PROGRAM, type TestOperations } from './test-program.ts';

/** A child with the test program, in whatever jail there is. */
export function startTestChild(
  { upload, workDir }: ScratchFolder,
  options: Partial<LaunchOptions> = {},
): Promise<JailedChild<TestOperations>> {
  const usual: LaunchOptions = { mode: 'auto', inputs: [upload], workDir, limits: childLimits(10) };
  return JailedChild.start(TEST_PROGRAM, { ...usual, ...options });
}
