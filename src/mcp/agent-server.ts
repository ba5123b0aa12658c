import { TiercutError } from '../../packages/client/src/client.ts';
import { ExportError } from '../errors.ts';
import { shownText, shownValue } from '../timeline/json/shown-value.ts';
import { checkArguments } from './check-arguments.ts';
import { DocsPages, docsTool } from './docs-pages.ts';
import { errorMessage, RpcError, type RpcId, type RpcMessage, resultMessage } from './json-rpc.ts';
import { TEMPLATE_TOOLS } from './template-tools.ts';
import { failureResult, type Tool, type ToolPlace, type ToolResult } from './tool.ts';
import type { Deployment } from './typed-documents.ts';
import { videoTools } from './video-tools.ts';

/** The versions of the protocol that a client may ask for, newest first. */
export const PROTOCOL_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

type Request = Extract<RpcMessage, { readonly kind: 'request' }>;

interface ServerOptions {
  readonly deployment: Deployment;
  /** Whether the tools may use files of their machine. */
  readonly hasFiles: boolean;
  /** Called with a bug, whose response says nothing about it. */
  readonly onBug: (error: unknown) => void;
}

/** What a request works with, and what ends it. */
interface AnswerOptions extends ToolPlace {
  readonly signal: AbortSignal;
}

/**
 * The server side of the Model Context Protocol: tools and resources, over any transport. It keeps nothing of a client
 * between two messages. (C75)
 */
export class AgentServer {
  readonly #version: string;
  readonly #onBug: (error: unknown) => void;
  readonly #docs = new DocsPages();
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #listed: object;

  constructor({ deployment, hasFiles, onBug }: ServerOptions) {
    this.#version = deployment.version;
    this.#onBug = onBug;
    const tools = [...videoTools(deployment, hasFiles), ...TEMPLATE_TOOLS, docsTool(this.#docs)];
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#listed = { tools: tools.map(({ run: _, ...listed }) => listed) };
  }

  /** The response to a request: a result or an error. */
  async answer(request: Request, options: AnswerOptions): Promise<object> {
    const { id } = request;
    try {
      return resultMessage(id, await this.#resultOf(request, options));
    } catch (error) {
      if (error instanceof RpcError) return errorMessage(error, id);
      if (options.signal.aborted) {
        return errorMessage(new RpcError('request', 'mcp.cancelled', 'The request was cancelled.'), id);
      }
      if (error instanceof ExportError || error instanceof TiercutError) {
        return errorMessage(new RpcError('internal', error.code, error.message), id);
      }
      this.#onBug(error);
      return errorMessage(new RpcError('internal', 'internal.error', 'An internal error occurred.'), id);
    }
  }

  async #resultOf({ method, params }: Request, options: AnswerOptions): Promise<object> {
    switch (method) {
      case 'initialize':
        return this.#initialize(params.protocolVersion);
      case 'ping':
        return {};
      case 'tools/list':
        return this.#listed;
      case 'tools/call':
        return this.#call(params, options);
      case 'resources/list': {
        const pages = await this.#docs.pages(options.connection);
        const resources = pages.map(({ uri, title, description, mimeType }) => {
          return { uri, name: uri.slice(uri.indexOf('//') + 2), title, description, mimeType };
        });
        return { resources };
      }
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'resources/read':
        return this.#read(params.uri, options);
      default:
        throw new RpcError('method', 'mcp.method', `There is no method ${shownText(method)}.`);
    }
  }

  #initialize(wanted: unknown): object {
    if (typeof wanted !== 'string') {
      throw new RpcError('params', 'mcp.params', `"protocolVersion" must be a text, not ${shownValue(wanted)}.`);
    }
    return {
      protocolVersion: PROTOCOL_VERSIONS.includes(wanted) ? wanted : PROTOCOL_VERSIONS[0],
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'tiercut', title: 'Tiercut', version: this.#version },
      instructions:
        'Makes tier-list videos. Read the page llms.txt with the tool docs, check the documents with validate, look at a frame, then render and follow.',
    };
  }

  async #call({ name, arguments: sent = {} }: Request['params'], options: AnswerOptions): Promise<ToolResult> {
    const tool = typeof name === 'string' ? this.#tools.get(name) : undefined;
    if (tool === undefined) {
      const known = [...this.#tools.keys()].join(', ');
      throw new RpcError('params', 'mcp.tool', `There is no tool ${shownValue(name)}. The tools are ${known}.`);
    }
    try {
      checkArguments(tool.inputSchema, sent);
      return await tool.run(sent as never, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      const failure = failureResult(error);
      if (failure === null) throw error;
      return failure;
    }
  }

  async #read(uri: unknown, { connection, signal }: AnswerOptions): Promise<object> {
    if (typeof uri !== 'string') {
      throw new RpcError('params', 'mcp.params', `"uri" must be a text, not ${shownValue(uri)}.`);
    }
    const page = await this.#docs.read(uri, connection, signal);
    if (page === null || page.uri !== uri) {
      throw new RpcError('resource', 'mcp.unknown_page', `There is no resource ${shownText(uri)}.`);
    }
    return { contents: [{ uri, mimeType: page.mimeType, text: page.text }] };
  }
}

/** The requests of clients that run, so that a client can cancel its own. */
export class RunningRequests {
  readonly #running = new Map<string, AbortController>();

  /** @param client who sent it; ids of two clients may be the same. */
  begin(client: string, id: RpcId): { readonly signal: AbortSignal } & Disposable {
    const key = keyOf(client, id);
    const ended = new AbortController();
    this.#running.set(key, ended);
    return {
      signal: ended.signal,
      [Symbol.dispose]: () => {
        if (this.#running.get(key) === ended) this.#running.delete(key);
      },
    };
  }

  /** `notifications/cancelled` */
  cancel(client: string, id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#running.get(keyOf(client, id))?.abort();
  }
}

function keyOf(client: string, id: RpcId): string {
  return JSON.stringify([client, id]);
}
