import { readFileSync } from 'node:fs';
import type { ExportError } from '../../src/errors.ts';
import type { LentPlan } from '../../src/sandbox/child/render-operations.ts';
import type { RenderHost } from '../../src/sandbox/render-host.ts';

/**
 * Children that do what is requested, unless `refuses` returns a reason not to. It gets the operation and its outputs.
 */
export function refusingHost(
  host: RenderHost,
  refuses: (operation: string, presets: readonly string[]) => ExportError | null,
): RenderHost {
  const open: RenderHost['open'] = async (task) => {
    const child = await host.open(task);
    const request = child.request.bind(child);
    child.request = (operation, params, options) => {
      const { plan, presets = [] } = params as {
        plan?: Sent | LentPlan;
        presets?: { readonly plan: Sent | LentPlan }[];
      };
      const plans = plan === undefined ? presets.map((preset) => preset.plan) : [plan];
      const error = refuses(
        operation,
        plans.map((one) => ('file' in one ? (JSON.parse(readFileSync(one.file, 'utf8')) as Sent) : one).preset),
      );
      return error === null ? request(operation, params, options) : Promise.reject(error);
    };
    return child;
  };
  return new Proxy(host, {
    get: (target, name) => {
      const value = name === 'open' ? open : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

interface Sent {
  readonly preset: string;
}
