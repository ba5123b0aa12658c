import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  NodeApiError,
} from 'n8n-workflow';

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

/** Sends a request with the credentials. @throws NodeApiError with the code, the message and all errors of the service. */
async function send(context: Context, options: IHttpRequestOptions, { accepts = [], itemIndex }: Answers) {
  let response: IN8nHttpFullResponse;
  try {
    response = await context.helpers.httpRequestWithAuthentication.call(context, 'tiercutApi', {
      ...options,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
    });
  } catch (error) {
    const place = itemIndex === undefined ? {} : { itemIndex };
    throw new NodeApiError(context.getNode(), error as IDataObject, { message: 'Cannot reach the service', ...place });
  }
  const { statusCode } = response;
  if ((statusCode >= 200 && statusCode < 300) || accepts.includes(statusCode)) return response;
  throw failure(context, statusCode, await problemOf(context, response.body), itemIndex);
}

/** The JSON of a response. */
export async function requestJson<T>(
  context: Context,
  options: IHttpRequestOptions,
  answers: Answers = {},
): Promise<T & IDataObject> {
  const { body } = await send(context, { json: true, ...options }, answers);
  return (typeof body === 'object' && body !== null ? body : {}) as T & IDataObject;
}

/** Whether there is something at an address. */
export async function isFound(context: Context, options: IHttpRequestOptions): Promise<boolean> {
  const { statusCode } = await send(context, { json: true, ...options }, { accepts: [404] });
  return statusCode !== 404;
}

/** Until when a request waits; null: it does not. */
export function deadlineAfter(minutes: number): number {
  return performance.now() + minutes * 60_000;
}

/** The header that lets the service wait for news, as long as the deadline allows. */
function waitHeader(deadline: number): { readonly prefer: string } {
  const left = Math.ceil((deadline - performance.now()) / 1000);
  return { prefer: `wait=${Math.min(Math.max(left, 0), WAIT_SECONDS)}` };
}

interface ExportState {
  readonly state: string;
  readonly error?: { readonly code: string; readonly detail: string };
}

const FINAL = ['completed', 'failed', 'cancelled', 'expired'];

/** The state of an export when it has ended. @throws NodeApiError if it failed, or still renders at the deadline. */
export async function waitForExport(
  context: IExecuteFunctions,
  url: string,
  { deadline, itemIndex }: { readonly deadline: number; readonly itemIndex: number },
): Promise<IDataObject> {
  for (;;) {
    const headers = waitHeader(deadline);
    const made = await requestJson<ExportState>(context, { url, headers }, { itemIndex });
    if (made.state === 'completed') return made;
    if (FINAL.includes(made.state)) {
      const { code = `export.${made.state}`, detail = `The export is ${made.state}.` } = made.error ?? {};
      throw failure(context, 200, { code, detail }, itemIndex);
    }
    if (performance.now() >= deadline) throw tooLate(context, itemIndex);
  }
}

/** A batch when its last row has ended; rows may have failed. @throws NodeApiError if it still runs at the deadline. */
export async function waitForBatch(
  context: IExecuteFunctions,
  url: string,
  { deadline, itemIndex }: { readonly deadline: number; readonly itemIndex: number },
): Promise<IDataObject> {
  for (;;) {
    const headers = waitHeader(deadline);
    const batch = await requestJson<{ readonly state: string }>(context, { url, headers }, { itemIndex });
    if (batch.state !== 'running') return batch;
    if (performance.now() >= deadline) throw tooLate(context, itemIndex);
  }
}

interface Video {
  readonly body: Streamed;
  readonly fileName: string | undefined;
}

/** A video, which the service renders first if it is not ready. @throws NodeApiError if it is not ready at the deadline. */
export async function downloadVideo(
  context: IExecuteFunctions,
  url: string,
  { deadline, itemIndex }: { readonly deadline: number; readonly itemIndex: number },
): Promise<Video> {
  for (;;) {
    const headers = { accept: 'video/mp4, application/json', ...waitHeader(deadline) };
    const response = await send(context, { url, headers, encoding: 'stream' }, { itemIndex });
    const body = response.body as Streamed;
    if (response.statusCode === 200) return { body, fileName: fileNameIn(response.headers['content-disposition']) };
    // The state of what still renders; read, so that its connection is free again.
    await context.helpers.binaryToBuffer(body);
    if (performance.now() >= deadline) throw tooLate(context, itemIndex);
  }
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
  const text = String(await context.helpers.binaryToBuffer(body as Streamed));
  try {
    return JSON.parse(text) as Problem;
  } catch {
    // Something between us and the service has answered.
    return { detail: text.slice(0, 500) };
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
