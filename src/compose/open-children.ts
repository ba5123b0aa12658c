import { tmpdir } from 'node:os';
import { type Config, childAllowance, mediaLimits } from '../config/config.ts';
import type { ServiceStatus } from '../exports/api/exports-api.ts';
import type { Log } from '../exports/log.ts';
import type { Metrics } from '../http/server/metrics.ts';
import { isDiskFull } from '../platform/disk-full.ts';
import { RenderCgroups } from '../sandbox/cgroup/render-cgroups.ts';
import { RenderHost } from '../sandbox/render-host.ts';
import { type SandboxStatus, sandboxStatus } from '../sandbox/sandbox-status.ts';
import type { LocalFiles } from '../store/local-files.ts';

/** The render host, and the state of its sandbox. */
interface OpenChildren {
  readonly host: RenderHost;
  readonly sandbox: SandboxStatus;
  readonly cgroups: RenderCgroups;
}

interface ChildrenParts {
  readonly local: LocalFiles;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Tests the sandbox. */
export async function openChildren(config: Config, { local, metrics, log }: ChildrenParts): Promise<OpenChildren> {
  const cgroups = RenderCgroups.open(config.sandbox === 'off' ? 'off' : config.cgroup);
  // In the work folder, so that a crash leaves nothing.
  await using folder = await local.scratch();
  const tryJail = (parent: string) => sandboxStatus(config.sandbox, parent);
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
    onChildEnded: (code) => metrics.childEnded(code),
    log: (message, detail) => log('debug', message, { detail }),
  });
  return { host, sandbox, cgroups };
}

/** The readiness check of the sandbox. */
export function sandboxCheck(
  { mode, complete, missing, layers, selfTest }: SandboxStatus,
  cgroup: string,
): ServiceStatus['checks'][number] {
  const stands = layers.map(({ name, detail }) => `${name} (${detail})`);
  const lacks = missing.map(({ name, reason }) => `missing: ${name} (${reason})`);
  // The jail is installed, but an attempt from inside got through.
  const broken = selfTest.filter(({ passed }) => !passed).map(({ name, outcome }) => `${name}: ${outcome}`);
  const failed = broken.length === 0 || missing.length > 0 ? [] : [`self-test failed: ${broken.join(', ')}`];
  const tried = `self-test: ${selfTest.length - broken.length} of ${selfTest.length}`;
  const detail = [...lacks, ...failed, ...stands, `cgroup (${cgroup})`, tried].join('; ');
  // `auto` and `off` are the operator's choice: reported, but the node is ready.
  return { name: `sandbox (${mode})`, ok: complete || mode !== 'required', detail };
}
