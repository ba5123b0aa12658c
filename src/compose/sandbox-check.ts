import type { ServiceStatus } from '../exports/api/exports-api.ts';
import type { SandboxStatus } from '../sandbox/sandbox-status.ts';

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
