import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { callService, serviceClient } from './service-client.ts';

/** `tiercut usage`: the usage of a service, one line for each day that has any. (C74) */
export async function usageCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { from, to, json } = readArguments('usage', args).options;
  const { signal } = terminal;
  const query = { signal, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const { days } = await callService(serviceClient().usage(query));
  for (const one of days) {
    const { day, exports, rendered_seconds: rendered, bytes_stored: stored, bytes_sent: sent } = one;
    if (exports === 0 && stored === 0 && sent === 0 && Object.keys(rendered).length === 0) continue;
    const seconds = Object.entries(rendered).map(([preset, count]) => `  ${preset} ${count} s`);
    terminal.out(
      json
        ? JSON.stringify(one)
        : `${day}  exports ${exports}  stored ${stored} bytes  sent ${sent} bytes${seconds.join('')}`,
    );
  }
  return 0;
}
