import { startNode } from '../../compose.ts';
import { readConfig } from '../../config/config.ts';
import type { Role } from '../../config/deployment.ts';
import { productVersion } from '../command-line/product-version.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';

/** `tiercut serve`: runs the service until a signal stops it. */
export async function serveCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { options } = readArguments('serve', args);
  return runNode(options['no-render'] ? 'api' : 'serve', terminal);
}

/** `tiercut work`: renders the exports that API nodes accept, until a signal stops it. */
export async function workCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  readArguments('work', args);
  return runNode('work', terminal);
}

async function runNode(role: Role, terminal: WorkTerminal): Promise<number> {
  // Uploads must not be readable by other users of this machine.
  process.umask(0o077);
  const version = productVersion();
  const node = await startNode(readConfig(), role, version);
  const { missing } = node.sandbox;
  const does = node.url === null ? `renders, ${node.renders} at once` : `is at ${node.url}`;
  // Standard output is the log: JSON lines and nothing else.
  terminal.err(`Tiercut ${version} ${does}`);
  if (missing.length > 0)
    terminal.err(`The sandbox is incomplete on this machine: ${missing.map(({ name }) => name).join(', ')} missing.`);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  if (terminal.signal.aborted) stop();
  else terminal.signal.addEventListener('abort', () => stop(), { once: true });
  await stopped;
  await node.stop();
  return 0;
}
