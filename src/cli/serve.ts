import { startService } from '../compose.ts';
import { readConfig } from '../config/config.ts';
import { productVersion } from './command-line/product-version.ts';
import { readArguments } from './command-line/read-arguments.ts';
import type { WorkTerminal } from './terminal.ts';

/** `tiercut serve`: the service, until it is told to stop. */
export async function serveCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  readArguments('serve', args);
  // What users upload is nobody else's business on this machine.
  process.umask(0o077);
  const config = readConfig();
  const version = productVersion();
  const service = await startService(config, version);
  const { missing } = service.sandbox;
  terminal.out(`Tiercut ${version} is at ${service.url}`);
  if (missing.length > 0)
    terminal.err(`Renders are not fully locked in here: ${missing.map(({ name }) => name).join(', ')} missing.`);
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  if (terminal.signal.aborted) tell();
  else terminal.signal.addEventListener('abort', () => tell(), { once: true });
  await told;
  await service.stop();
  return 0;
}
