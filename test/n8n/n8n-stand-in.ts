import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type {
  IBinaryData,
  ICredentialType,
  IDataObject,
  IExecuteFunctions,
  IHttpRequestOptions,
  IN8nHttpFullResponse,
  INodeExecutionData,
  INodeType,
} from 'n8n-workflow';
import { bundleN8n } from '../../build/bundle-n8n.ts';

/** What n8n brings at run time; the types that the nodes use are in packages/n8n/n8n-workflow.d.ts. */
const MODULE = `
exports.pauses = [];
exports.sleep = async (ms) => void exports.pauses.push(ms);
exports.NodeConnectionTypes = { Main: 'main' };
class NodeError extends Error {
  constructor(node, error, options = {}) {
    super(options.message ?? error.message ?? String(error));
    Object.assign(this, { node, description: null, ...options });
  }
}
exports.NodeApiError = class NodeApiError extends NodeError {};
exports.NodeOperationError = class NodeOperationError extends NodeError {};
`;

/** A node with the members that n8n looks for; which ones it has is tested. */
// biome-ignore lint/suspicious/noExplicitAny: n8n calls them with its own objects, of which this file has a part.
export type LoadedNode = INodeType & Record<string, any>;

export interface LoadedPackage {
  readonly nodes: ReadonlyMap<string, LoadedNode>;
  readonly credentials: ReadonlyMap<string, ICredentialType>;
  /** How many milliseconds the nodes have asked to sleep; they do not. */
  readonly pauses: number[];
}

/** The built package as n8n loads it: each file by its path in package.json, the class by the name of the file. */
export async function loadPackage(folder: string, { nodes, credentials }: Record<'nodes' | 'credentials', string[]>) {
  await bundleN8n(join(folder, 'dist'));
  mkdirSync(join(folder, 'node_modules/n8n-workflow'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/n8n-workflow/index.js'), MODULE);
  const load = createRequire(join(folder, 'package.json'));
  const loaded = (path: string) => {
    const [name] = basename(path).split('.');
    const made = new (load(join(folder, path))[name!])();
    return [made.description?.name ?? made.name, made] as const;
  };
  const { pauses } = load('n8n-workflow');
  return { nodes: new Map(nodes.map(loaded)), credentials: new Map(credentials.map(loaded)), pauses } as LoadedPackage;
}

interface Place {
  readonly credential: ICredentialType;
  readonly values: IDataObject;
}

type Shared = Pick<IExecuteFunctions, 'getNode' | 'helpers'>;

/** What both kinds of nodes have: the node, and requests that carry the credentials. */
function functionsOf({ credential, values }: Place, signal: AbortSignal | null = null): Shared {
  return {
    getNode: () => ({ id: 'node-1', name: 'Tiercut', typeVersion: 1 }),
    helpers: {
      async httpRequestWithAuthentication(name: string, options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
        if (name !== credential.name) throw new Error(`no credentials ${name}`);
        return answered(await credential.authenticate(values, options), signal);
      },
      binaryToBuffer: async (data: Readable | Buffer) => (Buffer.isBuffer(data) ? data : buffer(data)),
      async prepareBinaryData(data: Readable | Buffer, fileName?: string, mimeType = ''): Promise<IBinaryData> {
        const bytes = Buffer.isBuffer(data) ? data : await buffer(data);
        return { data: bytes.toString('base64'), mimeType, ...(fileName && { fileName }) };
      },
    },
  };
}

/** One request, as n8n sends it. */
async function answered(options: IHttpRequestOptions, signal: AbortSignal | null): Promise<IN8nHttpFullResponse> {
  const { method = 'GET', baseURL = '', url, qs = {}, headers = {}, body, json, encoding } = options;
  const address = new URL(baseURL + url);
  for (const [name, value] of Object.entries(qs)) address.searchParams.set(name, String(value));
  const response = await fetch(address, {
    method,
    signal,
    headers: { ...(json && { accept: 'application/json', 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const read = async () => {
    if (encoding === 'stream') return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  return { statusCode: response.status, headers: Object.fromEntries(response.headers), body: await read() };
}

interface Run {
  readonly items?: readonly IDataObject[];
  readonly continueOnFail?: boolean;
  /** Aborted: the execution is cancelled, which ends its requests. */
  readonly signal?: AbortSignal;
}

/** Runs a node with parameters on items, as n8n does: a parameter that is not given has its default. */
export async function execute(
  node: LoadedNode,
  place: Place,
  given: IDataObject,
  { items = [{}], continueOnFail = false, signal }: Run = {},
): Promise<INodeExecutionData[]> {
  const defaults = Object.fromEntries(node.description.properties.map((each) => [each.name, each.default]));
  const functions = {
    ...functionsOf(place, signal),
    getExecutionCancelSignal: () => signal,
    getInputData: () => items.map((json) => ({ json })),
    getNodeParameter: (name: string) => given[name] ?? defaults[name],
    getExecutionId: () => '231',
    continueOnFail: () => continueOnFail,
  };
  const [made] = await node.execute.call(functions);
  return made;
}

/** Calls a method that fills lists of the form. */
export function choices(node: LoadedNode, place: Place, name: string, given: IDataObject = {}) {
  const functions = { ...functionsOf(place), getCurrentNodeParameter: (each: string) => given[each] };
  return (node.methods.loadOptions[name] ?? node.methods.resourceMapping[name]).call(functions);
}

/** A trigger in a workflow: its registration, and what it makes of a request. */
export function triggerOf(node: LoadedNode, place: Place, events: string[], webhookUrl: string) {
  const stored: IDataObject = {};
  const refused: number[] = [];
  const functions = {
    ...functionsOf(place),
    getNodeParameter: () => events,
    getNodeWebhookUrl: () => webhookUrl,
    getWorkflowStaticData: () => stored,
    getResponseObject: () => ({ status: (code: number) => ({ send: () => refused.push(code) }) }),
  };
  const { checkExists, create, delete: remove } = node.webhookMethods.default;
  return {
    refused,
    isRegistered: (): Promise<boolean> => checkExists.call(functions),
    register: (): Promise<boolean> => create.call(functions),
    unregister: (): Promise<boolean> => remove.call(functions),
    receive: (headers: object, rawBody: Buffer) =>
      node.webhook.call({ ...functions, getRequestObject: () => ({ headers, rawBody }) }),
  };
}
