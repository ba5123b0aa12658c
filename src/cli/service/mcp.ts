import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { productVersion } from '../command-line/product-version.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { AllowedFolders } from './allowed-folders.ts';
import { addTools } from './mcp-tools.ts';
import { serviceClient, serviceUrl } from './service-client.ts';

/** `tiercut mcp`: a Model Context Protocol server over stdin and stdout, for agents that use a service. (C75) */
export async function mcpCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { options } = readArguments('mcp', args);
  const folders = await AllowedFolders.of(options.allow);
  const server = new McpServer(
    { name: 'tiercut', version: productVersion() },
    {
      instructions: `Makes tier-list videos with the Tiercut service at ${serviceUrl()}. Its /llms.txt explains the documents.`,
    },
  );
  addTools(server, serviceClient(), folders, terminal.signal);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  terminal.signal.addEventListener('abort', () => close(), { once: true });
  // The SDK reads stdin and does not report its end.
  process.stdin.once('end', close);
  server.server.onclose = close;
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
  return 0;
}
