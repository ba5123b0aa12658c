/** A separate parent process, for tests that need another user, another kernel or a parent to kill. */
import { childLimits } from '../../../src/sandbox/host/child-limits.ts';
import { JailedChild } from '../../../src/sandbox/host/jailed-child.ts';
import { forbidNewPrivileges } from '../../../src/sandbox/jail/privileges.ts';
import type { SandboxMode } from '../../../src/sandbox/jail/sandbox-mode.ts';
import { ENOSYS, installFilter } from '../../../src/sandbox/jail/seccomp.ts';
import type { SyscallName } from '../../../src/sandbox/jail/syscall-numbers.ts';
import { sandboxStatus } from '../../../src/sandbox/sandbox-status.ts';
import { ScratchFolder } from '../scratch-folder.ts';
import { TEST_PROGRAM } from './test-program.ts';

const [command, ...args] = process.argv.slice(2);

if (command === 'status') {
  const missing = args[1] as SyscallName | undefined;
  if (missing !== undefined) {
    // As on a kernel that does not have the call.
    forbidNewPrivileges();
    installFilter({ refuse: [{ call: missing, errno: ENOSYS }] });
  }
  const answer = await sandboxStatus(args[0] as SandboxMode).catch(({ kind, code, message }) => ({
    kind,
    code,
    message,
  }));
  process.stdout.write(JSON.stringify(answer));
} else if (command === 'open-inside') {
  using folder = new ScratchFolder();
  const { workDir } = folder;
  const mode = args[0] as SandboxMode;
  await using child = await JailedChild.start(TEST_PROGRAM, { mode, inputs: [], workDir, limits: childLimits(10) });
  process.stdout.write(JSON.stringify(await child.request('open_files', null)));
} else {
  const child = await JailedChild.start(TEST_PROGRAM, {
    mode: args[0] as SandboxMode,
    inputs: [],
    workDir: args[1]!,
    limits: childLimits(10),
  });
  const report = () => process.stdout.write(String(child.pid));
  if (command === 'idle') report();
  else await child.request('spin', null, { onProgress: report });
}
