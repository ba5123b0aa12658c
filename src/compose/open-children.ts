import { tmpdir } from 'node:os';
import { type Config, childAllowance, mediaLimits } from '../config/config.ts';
import type { Log } from '../exports/log.ts';
import type { Metrics } from '../http/server/metrics.ts';
import { isDiskFull } from '../platform/disk-full.ts';
import { RenderCgroups } from '../sandbox/cgroup/render-cgroups.ts';
import { prepareCode } from '../sandbox/prepare-code.ts';
import { RenderHost } from '../sandbox/render-host.ts';
import { type SandboxStatus, sandboxStatus } from '../sandbox/sandbox-status.ts';
import type { LocalFiles } from '../store/local-files.ts';

/** The render host, and the state of its sandbox. */
interface OpenChildren {
  readonly host: RenderHost;
  readonly sandbox: SandboxStatus;
  readonly cgroups: RenderCgroups;
  /** Why children start more slowly than possible; empty if they do not. */
  readonly slowedBy: readonly unknown[];
}

interface ChildrenParts {
  /** The folder of a clone's render programs; see `prepareCode`. */
  readonly codeFolder: string | null;
  readonly local: LocalFiles;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Tests the sandbox, and prepares fast starts of children. */
export async function openChildren(
  config: Config,
  { codeFolder, local, metrics, log }: ChildrenParts,
): Promise<OpenChildren> {
  const cgroups = RenderCgroups.open(config.sandbox === 'off' ? 'off' : config.cgroup);
  // In the work folder, so that a crash leaves nothing.
  await using folder = await local.scratch();
  const slowedBy: unknown[] = [];
  const codeDir = await prepareCode(codeFolder, (error) => slowedBy.push(error));
  const tryJail = (parent: string) => sandboxStatus(config.sandbox, parent, codeDir);
  const sandbox = await tryJail(folder.path).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error;
    // The service starts on a full disk, so that it can delete files.
    return tryJail(tmpdir());
  });
  const host = new RenderHost({
    mode: config.sandbox,
    allowance: childAllowance(config),
    mediaLimits: mediaLimits(config),
    cgroups,
    useNiceness: config.standBack,
    codeDir,
    onChildEnded: (code) => metrics.childEnded(code),
    log: (message, detail) => log('debug', message, { detail }),
  });
  return { host, sandbox, cgroups, slowedBy };
}
