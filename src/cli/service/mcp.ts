import { once } from 'node:events';
import { TiercutClient } from '../../../packages/client/src/client.ts';
import { Connection } from '../../../packages/client/src/connection.ts';
import { jsonLimits, readConfig, timelineLimits } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';
import { AgentServer, RunningRequests } from '../../mcp/agent-server.ts';
import { errorMessage, RpcError, readMessage } from '../../mcp/json-rpc.ts';
import type { ToolPlace } from '../../mcp/tool.ts';
import { FirstSignal } from '../../platform/signals.ts';
import type { JsonLimits } from '../../timeline/json/json-text.ts';
import { productVersion } from '../command-line/product-version.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { WorkTerminal } from '../command-line/terminal.ts';
import { agentFiles } from './agent-files.ts';
import { AllowedFolders } from './allowed-folders.ts';
import { messageLines } from './message-lines.ts';
import { connectionOptions } from './service-client.ts';

/** The only client of a process. */
const CLIENT = 'stdio';
/** More than a program sends at once; the others wait. */
const MOST_AT_ONCE = 32;
/** How many messages are read before their turn: a cancellation is behind the calls that it ends. */
const MOST_READ = 256;

/** `tiercut mcp`: a Model Context Protocol server over stdin and stdout, for agents that use a service. (C75) */
export async function mcpCommand(args: readonly string[], terminal: WorkTerminal): Promise<number> {
  const { options } = readArguments('mcp', args);
  const config = readConfig();
  const place: ToolPlace = {
    client: new TiercutClient(connectionOptions()),
    connection: new Connection(connectionOptions()),
    files: agentFiles(await AllowedFolders.of(options.allow)),
  };
  const { presets } = config;
  const server = new AgentServer({
    deployment: { limits: timelineLimits(config), presets, version: productVersion() },
    hasFiles: true,
    onBug: (error) => terminal.err(`internal.error: ${messageOf(error)}`),
  });
  const limits = jsonLimits(config);
  // Documents may be as large as the service takes them, and all are in one message.
  await serveLines(
    server,
    place,
    { ...limits, maxBytes: 4 * limits.maxBytes, maxDepth: limits.maxDepth + 3 },
    terminal.signal,
  );
  return 0;
}

/** Answers the messages of stdin until it ends, several at a time. */
async function serveLines(
  server: AgentServer,
  place: ToolPlace,
  limits: JsonLimits,
  stopped: AbortSignal,
): Promise<void> {
  const running = new RunningRequests();
  const work = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  let atOnce = 0;
  const closed = new AbortController();
  stopped.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  try {
    for await (const line of messageLines(process.stdin, limits.maxBytes)) {
      const answered = answer(line).finally(() => work.delete(answered));
      work.add(answered);
      if (work.size >= MOST_READ) await Promise.race(work);
    }
  } catch (error) {
    if (!stopped.aborted) throw error;
  } finally {
    closed.abort();
    await Promise.all(work);
  }

  async function answer(line: Parameters<typeof readLine>[0]): Promise<void> {
    let message: ReturnType<typeof readLine>;
    try {
      message = readLine(line, limits);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return send(errorMessage(error));
    }
    if (message?.kind === 'notification' && message.method === 'notifications/cancelled') {
      running.cancel(CLIENT, message.params.requestId);
    }
    if (message?.kind !== 'request') return;
    using run = running.begin(CLIENT, message.id);
    using ended = new FirstSignal(stopped, closed.signal, run.signal);
    await turn();
    try {
      if (ended.signal.aborted) return;
      const response = await server.answer(message, { ...place, signal: ended.signal });
      // A cancelled request has no response.
      if (!ended.signal.aborted) await send(response);
    } finally {
      const next = waiting.shift();
      if (next === undefined) atOnce -= 1;
      else next();
    }
  }

  /** Waits until fewer than the most are answered, or one of them gives its place away. */
  async function turn(): Promise<void> {
    if (atOnce < MOST_AT_ONCE) atOnce += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

/** null: an empty line. */
function readLine(line: { readonly text: string } | { readonly bytes: number }, limits: JsonLimits) {
  if ('text' in line) return line.text.trim() === '' ? null : readMessage(line.text, limits);
  const message = `The message has ${line.bytes} bytes; at most ${limits.maxBytes} are allowed.`;
  throw new RpcError('request', 'json.too_large', message);
}

async function send(message: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
}
