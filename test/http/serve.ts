import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { ExportsPolicy } from '../../src/compose/exports-ports.ts';
import { createApp } from '../../src/http/app.ts';
import { EXAMPLE_REQUEST } from '../../src/http/openapi/form-body.ts';
import type { HttpConfig } from '../../src/http/server/http-config.ts';
import type { KeyRing } from '../../src/http/server/identify.ts';
import type { Metrics } from '../../src/http/server/metrics.ts';
import { DEFAULT_TIMELINE_LIMITS } from '../../src/timeline/limits.ts';
import { DEFAULT_PRESETS } from '../../src/timeline/presets.ts';
import type { ExportsFixture } from '../exports/exports-fixture.ts';
import { FORM_TYPE, type FormPart, formBody } from './form-body.ts';
import { type PlayedExports, playedExports } from './played-exports.ts';

export const LIMITS: HttpConfig['limits'] = {
  ...DEFAULT_TIMELINE_LIMITS,
  maxRequestBytes: 4 * 2 ** 20,
  maxFileBytes: 2 * 2 ** 20,
  maxImageFileBytes: 2 ** 20,
  maxMediaParts: 8,
  maxFields: 8,
  maxFieldNameBytes: 128,
  maxFileNameBytes: 255,
  maxJsonBytes: 2 ** 20,
  maxJsonDepth: 32,
  maxJsonValues: 50_000,
  headersTimeoutSeconds: 15,
  idleTimeoutSeconds: 20,
  uploadTimeoutSeconds: 60,
};

/** Sessions that were ended, as long as the service runs. */
export class MemorySessions {
  readonly #ended = new Set<string>();

  async add(id: string): Promise<void> {
    this.#ended.add(id);
  }

  async has(id: string): Promise<boolean> {
    return this.#ended.has(id);
  }
}

/** A service that listens. */
export interface ServedExports {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly base: string;
  readonly uploadFolder: string;
}

/** One with its own exports. */
export interface Service extends ServedExports {
  readonly exports: PlayedExports;
  /** Names of the files in the upload folder. */
  uploadsOnDisk(): Promise<string[]>;
  readonly logged: Record<string, unknown>[];
  readonly metrics: Metrics;
}

/** The default settings of a service. */
export function httpConfig(uploadFolder: string, other: Partial<HttpConfig> = {}): HttpConfig {
  return {
    limits: LIMITS,
    shownLimits: { max_file_bytes: LIMITS.maxFileBytes, max_request_bytes: LIMITS.maxRequestBytes },
    presets: DEFAULT_PRESETS,
    uploadFolder,
    apiKeys: [],
    sessionSeconds: 3600,
    metricsKey: null,
    models: 'ask',
    metricsElsewhere: false,
    corsOrigins: [],
    requestsPerMinute: 0,
    maxDocumentMemory: 256 * 2 ** 20,
    maxOpenWaits: 200,
    waitLimitSeconds: 30,
    heartbeatSeconds: 30,
    socketTimeoutSeconds: 60,
    trustProxy: false,
    // What raw connections say.
    hosts: ['x'],
    publicUrl: null,
    version: '1.2.3',
    ...other,
  };
}

/** Starts a service for one test, which plays its worker; it is gone with the test. */
export async function serve(
  t: TestContext,
  other: Partial<HttpConfig> = {},
  policy: Partial<ExportsPolicy> = {},
  { ring }: { readonly ring?: KeyRing } = {},
): Promise<Service> {
  const exports = await playedExports(policy);
  const logged: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      logged.push(
        ...String(chunk)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
      done();
    },
  });
  const log = { level: 'info', stream };
  const served = await serveExports(t, exports.fixture, other, { api: exports, log, ...(ring && { ring }) });
  const { metrics } = exports.fixture;
  return { ...served, exports, uploadsOnDisk: () => readdir(served.uploadFolder), logged, metrics };
}

/** Serves use cases for one test; both are gone with the test. */
export async function serveExports(
  t: TestContext,
  exports: ExportsFixture,
  other: Partial<HttpConfig> = {},
  {
    api = exports.api,
    log = { level: 'silent' },
    ring,
  }: Partial<Pick<Parameters<typeof createApp>[0], 'api' | 'log' | 'ring'>> = {},
): Promise<ServedExports> {
  const { ports, metrics, parts } = exports;
  const { path: uploadFolder } = await ports.local.scratch();
  const config = httpConfig(uploadFolder, other);
  const endedSessions = new MemorySessions();
  const app = await createApp({
    api,
    media: parts.media,
    projects: parts.projects,
    batches: parts.batches,
    drafts: parts.drafts,
    speech: parts.speech,
    config,
    metrics,
    endedSessions,
    log,
    ...(ring && { ring }),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(async () => {
    app.server.closeAllConnections();
    await app.close();
    await exports[Symbol.asyncDispose]();
  });
  const { port } = app.server.address() as AddressInfo;
  return { app, port, base: `http://127.0.0.1:${port}`, uploadFolder };
}

/** The documents of the example, as parts of a form; `media` are the pictures it names. */
export function exampleParts(other: { readonly settings?: object } = {}): FormPart[] {
  const { tier_list, timeline_data, settings } = EXAMPLE_REQUEST;
  return [
    { name: 'tier_list', content: JSON.stringify(tier_list) },
    { name: 'timeline_data', content: JSON.stringify(timeline_data) },
    { name: 'settings', content: JSON.stringify({ ...settings, ...other.settings }) },
    ...tier_list.items.map(({ file_field }) => {
      return { name: file_field, content: `picture ${file_field}`, fileName: `${file_field}.png` };
    }),
  ];
}

/** Posts a form with fetch. */
export function postForm(
  { base }: Service,
  parts: readonly FormPart[] | Buffer = exampleParts(),
  headers: Readonly<Record<string, string>> = {},
  path = '/video/exports',
): Promise<Response> {
  const body = Buffer.isBuffer(parts) ? parts : formBody(parts);
  return fetch(`${base}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': FORM_TYPE, ...headers },
    body: new Uint8Array(body),
  });
}

/** The problem of a reply, after checking that it is a proper one. (C32) */
export async function problemOf(reply: Response, status: number) {
  const text = await reply.text();
  assert.equal(reply.status, status, text);
  assert.equal(reply.headers.get('content-type'), 'application/problem+json');
  const problem = JSON.parse(text);
  const { warnings, ...always } = problem;
  assert.deepEqual(Object.keys(always), ['type', 'title', 'status', 'detail', 'ok', 'code', 'errors']);
  assert.ok(warnings === undefined || warnings.length > 0, 'warnings are there only where there are some');
  assert.equal(problem.status, status);
  assert.equal(problem.ok, false);
  assert.equal(problem.type, `/docs/errors#${problem.code}`);
  return problem as {
    code: string;
    detail: string;
    title: string;
    errors: { path: string; code: string; message: string }[];
    warnings?: { path: string; code: string; message: string }[];
  };
}

/** A raw connection: bytes are sent unchanged, `all` is everything received until it is closed. */
export function rawConnection({ port }: Pick<Service, 'port'>): { socket: Socket; all: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const all = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
  return { socket, all };
}

/** The head of a create request, for raw connections. */
export function createHead(length: number | 'chunked', ...headers: readonly string[]): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const lines = ['POST /video/exports HTTP/1.1', 'Host: localhost', `Content-Type: ${FORM_TYPE}`, framing, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
