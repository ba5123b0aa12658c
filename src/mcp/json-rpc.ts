import { type JsonLimits, readJson } from '../timeline/json/json-text.ts';
import { shownValue } from '../timeline/json/shown-value.ts';

/** The id of a request, which its response repeats. */
export type RpcId = string | number;

type Params = Readonly<Record<string, unknown>>;

/** A message of a client. A notification has no id, and no response. Responses of clients are of no use to us. */
export type RpcMessage =
  | { readonly kind: 'request'; readonly id: RpcId; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'response' };

/** The numbers of JSON-RPC 2.0 and of the Model Context Protocol. */
const RPC_NUMBERS = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  resource: -32002,
} as const;

/** A failure of a message. A tool that fails has a result instead. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly number: number;
  /** Stable, listed in docs/reference/errors.md. */
  readonly code: string;
  /** That of the request, if it could be read. */
  readonly id: RpcId | null;

  constructor(kind: keyof typeof RPC_NUMBERS, code: string, message: string, id: RpcId | null = null) {
    super(message);
    this.number = RPC_NUMBERS[kind];
    this.code = code;
    this.id = id;
  }
}

/** An id is repeated in the response, so it is short. */
const LONGEST_ID = 256;

/** Reads one message. @throws RpcError */
export function readMessage(text: string, limits: JsonLimits): RpcMessage {
  const reading = readJson(text, limits);
  if ('fault' in reading) throw new RpcError('parse', reading.fault.code, reading.fault.message);
  const { value } = reading;
  if (Array.isArray(value)) {
    throw new RpcError('request', 'mcp.message', 'Send one message at a time: an array of messages is not accepted.');
  }
  if (typeof value !== 'object' || value === null) {
    throw new RpcError('request', 'mcp.message', `A message must be a JSON object, not ${shownValue(value)}.`);
  }
  return messageOf(value as Params);
}

function messageOf({ jsonrpc, id, method, params = {}, result, error }: Params): RpcMessage {
  const isId =
    (typeof id === 'string' && id.length <= LONGEST_ID) || (typeof id === 'number' && Number.isSafeInteger(id));
  const known = isId ? (id as RpcId) : null;
  if (jsonrpc !== '2.0') {
    throw new RpcError('request', 'mcp.message', `"jsonrpc" must be "2.0", not ${shownValue(jsonrpc)}.`, known);
  }
  if (method === undefined && isId && (result !== undefined || error !== undefined)) return { kind: 'response' };
  if (typeof method !== 'string') {
    throw new RpcError('request', 'mcp.message', `"method" must be a text, not ${shownValue(method)}.`, known);
  }
  if (id !== undefined && !isId) {
    const allowed = `a whole number or a text of at most ${LONGEST_ID} characters`;
    throw new RpcError('request', 'mcp.message', `"id" must be ${allowed}, not ${shownValue(id)}.`);
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new RpcError('params', 'mcp.params', `"params" must be an object, not ${shownValue(params)}.`, known);
  }
  const sent = { method, params: params as Params };
  return known === null ? { kind: 'notification', ...sent } : { kind: 'request', id: known, ...sent };
}

/** A response with a result. */
export function resultMessage(id: RpcId, result: object): object {
  return { jsonrpc: '2.0', id, result };
}

/** A response with an error; its stable code is in `data`. */
export function errorMessage({ number, code, message, id: own }: RpcError, id: RpcId | null = own): object {
  return { jsonrpc: '2.0', id, error: { code: number, message, data: { code } } };
}
