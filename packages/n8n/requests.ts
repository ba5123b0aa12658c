import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  NodeApiError,
  sleep,
} from 'n8n-workflow';
import { pauseMs } from '../client/src/retry.ts';
import { PASSING_STATUSES, secondsIn } from '../client/src/tiercut-error.ts';

/** What n8n returns for `encoding: 'stream'`. */
type Streamed = Parameters<IExecuteFunctions['helpers']['binaryToBuffer']>[0];

type Context = IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions;

/** How long one request may wait for news; the service may allow less. */
const WAIT_SECONDS = 50;

/** How a request is answered besides with a result. */
interface Answers {
  /** Statuses that are no failure, besides the 200s. */
  readonly accepts?: readonly number[];
  readonly itemIndex?: number | undefined;
}

/** A request without a result. */
interface Failed {
  readonly error: NodeApiError;
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;
  readonly retryAfterSeconds: number | null;
}

/** Sends a request with the credentials. @throws NodeApiError with the code, the message and all errors of the service. */
async function send(context: Context, options: IHttpRequestOptions, answers: Answers): Promise<IN8nHttpFullResponse> {
  const outcome = await outcomeOf(context, options, answers);
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

/** The same, with a failure as a value. */
async function outcomeOf(
  context: Context,
  options: IHttpRequestOptions,
  { accepts = [], itemIndex }: Answers,
): Promise<IN8nHttpFullResponse | Failed> {
  let response: IN8nHttpFullResponse;
  try {
    response = await context.helpers.httpRequestWithAuthentication.call(context, 'tiercutApi', {
      ...options,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    });
  } catch (error) {
    const place = itemIndex === undefined ? {} : { itemIndex };
    const detail = { message: 'Cannot reach the service', ...place };
    const unreachable = new NodeApiError(context.getNode(), error as IDataObject, detail);
    return { error: unreachable, isPassing: true, retryAfterSeconds: null };
  }
  const { statusCode, headers, body } = response;
  if ((statusCode >= 200 && statusCode < 300) || accepts.includes(statusCode)) return response;
  return {
    error: failure(context, statusCode, await problemOf(context, body), itemIndex),
    isPassing: PASSING_STATUSES.includes(statusCode),
    retryAfterSeconds: secondsIn(headers['retry-after']),
  };
}

/** The JSON of a response. */
export async function requestJson<T>(
  context: Context,
  options: IHttpRequestOptions,
  answers: Answers = {},
): Promise<T & IDataObject> {
  return jsonIn<T>(await send(context, { json: true, ...options }, answers));
}

function jsonIn<T>({ body }: IN8nHttpFullResponse): T & IDataObject {
  return (typeof body === 'object' && body !== null ? body : {}) as T & IDataObject;
}

/** Whether there is something at an address. */
export async function isFound(context: Context, options: IHttpRequestOptions): Promise<boolean> {
  const { statusCode } = await send(context, { json: true, ...options }, { accepts: [404] });
  return statusCode !== 404;
}

/** How long an item waits. */
interface Wait {
  readonly deadline: number;
  readonly itemIndex: number;
}

/** When a wait ends. */
export function deadlineAfter(minutes: number): number {
  return performance.now() + minutes * 60_000;
}

/** The header that lets the service wait for news, as long as the deadline allows. */
function waitHeader(deadline: number): { readonly prefer: string } {
  const left = Math.ceil((deadline - performance.now()) / 1000);
  return { prefer: `wait=${Math.min(Math.max(left, 0), WAIT_SECONDS)}` };
}

/**
 * Asks until a response has the result. The service may be busy, or restart meanwhile.
 *
 * @param resultIn undefined: it is not ready.
 * @throws NodeApiError what does not pass; at the deadline, the last failure or that it is not ready.
 */
async function waitFor<T>(
  context: IExecuteFunctions,
  options: IHttpRequestOptions,
  { deadline, itemIndex }: Wait,
  resultIn: (response: IN8nHttpFullResponse) => Promise<T | undefined> | T | undefined,
): Promise<T> {
  for (let failures = 0; ; ) {
    const headers = { ...waitHeader(deadline), ...options.headers };
    const outcome = await outcomeOf(context, { ...options, headers }, { itemIndex });
    if ('error' in outcome) {
      const leftMs = deadline - performance.now();
      // n8n aborts the requests of an execution that is cancelled.
      const isOver = leftMs <= 0 || context.getExecutionCancelSignal()?.aborted;
      if (!outcome.isPassing || isOver) throw outcome.error;
      await sleep(Math.min(leftMs, pauseMs(failures, outcome.retryAfterSeconds)));
      failures += 1;
      continue;
    }
    failures = 0;
    const result = await resultIn(outcome);
    if (result !== undefined) return result;
    if (performance.now() >= deadline) throw tooLate(context, itemIndex);
  }
}

interface ExportState {
  readonly state: string;
  readonly error?: { readonly code: string; readonly detail: string };
}

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

/** The state of an export when it has ended. @throws NodeApiError if it failed, or still renders at the deadline. */
export function waitForExport(context: IExecuteFunctions, url: string, wait: Wait): Promise<IDataObject> {
  return waitFor(context, { url, json: true }, wait, (response) => {
    const made = jsonIn<ExportState>(response);
    if (made.state === 'completed') return made;
    if (!FINAL.includes(made.state)) return undefined;
    const { code = `export.${made.state}`, detail = `The export is ${made.state}.` } = made.error ?? {};
    throw failure(context, 200, { code, detail }, wait.itemIndex);
  });
}

/** A batch when its last row has ended; rows may have failed. @throws NodeApiError if it still runs at the deadline. */
export function waitForBatch(context: IExecuteFunctions, url: string, wait: Wait): Promise<IDataObject> {
  return waitFor(context, { url, json: true }, wait, (response) => {
    const batch = jsonIn<{ readonly state: string }>(response);
    return batch.state === 'running' ? undefined : batch;
  });
}

/** The format that an export was made for. */
export function selectedPreset(context: IExecuteFunctions, url: string, wait: Wait): Promise<string> {
  // It is known from the beginning.
  const headers = { prefer: 'wait=0' };
  return waitFor(context, { url, headers, json: true }, wait, (response) => {
    return jsonIn<{ readonly settings: { readonly preset: string } }>(response).settings.preset;
  });
}

interface Video {
  readonly body: Streamed;
  readonly fileName: string | undefined;
}

/** A video, which the service renders first if it is not ready. @throws NodeApiError if it is not ready at the deadline. */
export function downloadVideo(context: IExecuteFunctions, url: string, wait: Wait): Promise<Video> {
  const headers = { accept: 'video/mp4, application/json' };
  return waitFor(context, { url, headers, encoding: 'stream' }, wait, async (response) => {
    const body = response.body as Streamed;
    if (response.statusCode === 200) return { body, fileName: fileNameIn(response.headers['content-disposition']) };
    // The state of what still renders; read, so that its connection is free again. One that breaks is not needed.
    await context.helpers.binaryToBuffer(body).catch(() => undefined);
    return undefined;
  });
}

/** The file name of a `Content-Disposition`, whose readable form is UTF-8. */
function fileNameIn(header: string | undefined): string | undefined {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(header ?? '') ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header ?? '')?.[1];
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

async function problemOf(context: Context, body: unknown): Promise<Problem> {
  const isParsed = typeof body === 'object' && body !== null && !('pipe' in body) && !Buffer.isBuffer(body);
  if (isParsed) return body;
  if (!('binaryToBuffer' in context.helpers) || typeof body !== 'object') return {};
  const text = String(await context.helpers.binaryToBuffer(body as Streamed).catch(() => ''));
  try {
    return JSON.parse(text) as Problem;
  } catch {
    // Something between us and the service has answered.
    return text === '' ? {} : { detail: text.slice(0, 500) };
  }
}

function failure(context: Context, status: number, problem: Problem, itemIndex: number | undefined): NodeApiError {
  const { code = 'client.unexpected', detail = `The service responded with ${status}.`, errors = [] } = problem;
  const places = errors.map(({ path, code: of, message }) => `${path === '' ? '/' : path}: ${message} (${of})`);
  const description = [`Code: ${code}`, ...places].join('\n');
  const place = itemIndex === undefined ? {} : { itemIndex };
  return new NodeApiError(
    context.getNode(),
    { ...problem },
    { message: detail, description, httpCode: String(status), ...place },
  );
}

function tooLate(context: Context, itemIndex: number): NodeApiError {
  const detail = 'It is not ready within the time that this node waits. The service goes on: wait again.';
  return failure(context, 200, { code: 'client.timeout', detail }, itemIndex);
}
