import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ExportsApi, ServiceStatus } from '../../exports/api/exports-api.ts';
import type { JobOutcome, Meter, MeteredJob } from '../../exports/api/meter.ts';
import { hasKey } from './identify.ts';

const EVERY_MS = 100;

/**
 * Measures how late timers are, ten times a second: the time that every request waits before it is handled. The
 * histogram of requests cannot see that, because its clock starts when one is handled.
 * Stops when disposed. Does not keep the process alive.
 */
function watchLoopDelay(delays: Pick<Histogram, 'observe'>): Disposable {
  let dueMs = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    delays.observe(Math.max(0, nowMs - dueMs) / 1000);
    dueMs = nowMs + EVERY_MS;
  }, EVERY_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 240];
const JOB_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1200, 3600];
const DELAY_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The metrics of one service, in a registry of its own: two services in one process do not mix. (C31) */
export class Metrics implements Meter, Disposable {
  readonly #registry = new Registry();
  readonly #requests = this.#histogram(
    'tiercut_http_request_seconds',
    'Time from the first byte of a request to the last byte of the response.',
    REQUEST_SECONDS,
    ['method', 'route', 'status'],
  );
  readonly #loopDelays = this.#histogram(
    'tiercut_loop_delay_seconds',
    'Event loop delay, sampled ten times a second.',
    DELAY_SECONDS,
  );
  readonly #received = this.#counter('tiercut_received_bytes_total', 'Bytes of uploaded files received.');
  readonly #uploads = this.#gauge('tiercut_uploads_in_flight', 'Requests whose bodies are arriving.');
  readonly #jobWaits = this.#histogram('tiercut_job_wait_seconds', 'Wait time of jobs, by kind.', JOB_SECONDS, [
    'kind',
  ]);
  readonly #jobRuns = this.#histogram(
    'tiercut_job_run_seconds',
    'Duration of job attempts, by kind and outcome.',
    JOB_SECONDS,
    ['kind', 'outcome'],
  );
  readonly #copies = this.#counter('tiercut_job_copies_total', 'Copies of slow jobs of other nodes, by outcome.', [
    'outcome',
  ]);
  readonly #failures = this.#counter('tiercut_failures_total', 'Exports and outputs that failed, by code.', ['code']);
  readonly #childEndings = this.#counter('tiercut_child_endings_total', 'Render processes that ended, by reason.', [
    'reason',
  ]);
  readonly #chunks = this.#counter('tiercut_chunks_sought_total', 'Chunks looked up in the cache, by result.', [
    'found',
  ]);
  readonly #filesLookedAt = this.#counter(
    'tiercut_files_looked_at_total',
    'Files of requests, by whether they were probed before.',
    ['known'],
  );
  readonly #mediaCame = this.#counter('tiercut_media_uploads_total', 'Uploads to /media, by outcome.', ['outcome']);
  readonly #mediaFetched = this.#counter('tiercut_media_fetches_total', 'Files fetched from addresses, by outcome.', [
    'outcome',
  ]);
  readonly #mediaReferred = this.#counter('tiercut_media_references_total', 'Files that were referred to, not sent.');
  readonly #bytesReferred = this.#counter('tiercut_media_referred_bytes_total', 'Bytes that were not sent again.');
  readonly #projectsSaved = this.#counter('tiercut_projects_saved_total', 'Saves of projects, by outcome.', [
    'outcome',
  ]);
  readonly #draftsSent = this.#counter('tiercut_drafts_sent_total', 'Drafts that clients have sent.');
  readonly #draftChunks = this.#counter('tiercut_draft_chunks_total', 'Chunks and sounds rendered for drafts.');
  readonly #captionsRequested = this.#counter(
    'tiercut_captions_requested_total',
    'Requests for captions, by outcome.',
    ['outcome'],
  );
  readonly #captionsEnded = this.#counter('tiercut_captions_total', 'Captions that have ended, by outcome.', [
    'outcome',
  ]);
  readonly #speechSeconds = this.#counter('tiercut_captions_seconds_total', 'Seconds of sound that were transcribed.');
  readonly #destinations = this.#counter('tiercut_destinations_total', 'Attempts to send videos, by outcome.', [
    'outcome',
  ]);
  readonly #deliveries = this.#counter('tiercut_deliveries_total', 'Webhook attempts, by outcome.', ['outcome']);
  readonly #exports = this.#gauge('tiercut_exports', 'Exports kept, by state.', ['state']);
  readonly #exportsWaiting = this.#gauge('tiercut_exports_waiting', 'Exports that have not started.');
  readonly #jobsWaiting = this.#gauge('tiercut_jobs_waiting', 'Waiting jobs.');
  readonly #running = this.#gauge('tiercut_jobs_running', 'Running jobs.');
  readonly #freeDisk = this.#gauge('tiercut_free_disk_bytes', 'Free bytes where exports are kept.');
  readonly #ready = this.#gauge('tiercut_ready', '1 while the service accepts exports.');
  readonly #loopWatch = watchLoopDelay(this.#loopDelays);

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Counts a response. `route` is the pattern, not the address, whose number is unbounded. */
  countRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status: String(status) }, seconds);
  }

  /** Counts a body that arrives, until disposed. */
  countUpload(): Disposable {
    this.#uploads.inc();
    return { [Symbol.dispose]: () => this.#uploads.dec() };
  }

  countReceived(bytes: number): void {
    this.#received.inc(bytes);
  }

  jobWaited(kind: MeteredJob, seconds: number): void {
    this.#jobWaits.observe({ kind }, seconds);
  }

  jobRan(kind: MeteredJob, outcome: JobOutcome, seconds: number): void {
    this.#jobRuns.observe({ kind, outcome }, seconds);
  }

  copyRan(outcome: 'first' | 'late'): void {
    this.#copies.inc({ outcome });
  }

  exportFailed(code: string): void {
    this.#failures.inc({ code });
  }

  /** Counts an ended child, of a render or a probe. `render.closed` is the normal end. */
  childEnded(code: string): void {
    this.#childEndings.inc({ reason: code });
  }

  chunksSought(found: number, missing: number): void {
    this.#chunks.inc({ found: 'yes' }, found);
    this.#chunks.inc({ found: 'no' }, missing);
  }

  filesLookedAt(known: number, unknown: number): void {
    this.#filesLookedAt.inc({ known: 'yes' }, known);
    this.#filesLookedAt.inc({ known: 'no' }, unknown);
  }

  mediaCame(outcome: 'known' | 'stored' | 'partial'): void {
    this.#mediaCame.inc({ outcome });
  }

  mediaFetched(outcome: 'fetched' | 'unchanged' | 'failed'): void {
    this.#mediaFetched.inc({ outcome });
  }

  mediaReferred(files: number, bytes: number): void {
    this.#mediaReferred.inc(files);
    this.#bytesReferred.inc(bytes);
  }

  projectSaved(outcome: 'created' | 'saved' | 'unchanged'): void {
    this.#projectsSaved.inc({ outcome });
  }

  draftSent(): void {
    this.#draftsSent.inc();
  }

  draftChunkRendered(): void {
    this.#draftChunks.inc();
  }

  captionsRequested(outcome: 'new' | 'known'): void {
    this.#captionsRequested.inc({ outcome });
  }

  captionsEnded(outcome: 'completed' | 'failed', seconds: number): void {
    this.#captionsEnded.inc({ outcome });
    this.#speechSeconds.inc(seconds);
  }

  destinationTried(outcome: 'sent' | 'retried' | 'failed'): void {
    this.#destinations.inc({ outcome });
  }

  deliveryTried(outcome: 'delivered' | 'pending' | 'given_up'): void {
    this.#deliveries.inc({ outcome });
  }

  /** All metrics, in Prometheus' text format. */
  async text(status: ServiceStatus): Promise<string> {
    this.#exports.reset();
    for (const [state, count] of Object.entries(status.exportsByState)) this.#exports.set({ state }, count);
    this.#exportsWaiting.set(status.exportsByState.queued ?? 0);
    this.#jobsWaiting.set(status.jobsWaiting);
    this.#running.set(status.jobsRunning);
    this.#ready.set(status.takesIn ? 1 : 0);
    if (status.freeDiskBytes !== null) this.#freeDisk.set(status.freeDiskBytes);
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  [Symbol.dispose](): void {
    this.#loopWatch[Symbol.dispose]();
    this.#registry.clear();
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
  }
}

interface MetricsServerOptions {
  readonly address: { readonly host: string; readonly port: number };
  /** The token that grants access; null: anyone who can reach the address. */
  readonly key: string | null;
  readonly metrics: Metrics;
  readonly status: ExportsApi['status'];
}

/**
 * A server for `GET /metrics`, separate from the public address. It also reports the health of the node: `/healthz`
 * while the process responds, `/readyz` while it reaches its records. A worker has no other server.
 */
export async function startMetricsServer(options: MetricsServerOptions): Promise<AsyncDisposable & { url: string }> {
  const { address, key, metrics, status } = options;
  const server = createServer(async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const path = request.url?.split('?', 1)[0] ?? '';
    if (isRead && path === '/healthz') return void replyHealth(response, true);
    if (isRead && path === '/readyz') {
      return void replyHealth(
        response,
        await status().then(
          () => true,
          () => false,
        ),
      );
    }
    if (!isRead || path !== '/metrics') return void response.writeHead(404).end();
    if (key !== null && !hasKey(request.headers, key)) {
      return void response.writeHead(401, { 'www-authenticate': 'Bearer realm="tiercut"' }).end();
    }
    try {
      const text = await metrics.text(await status());
      response.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address.port, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function replyHealth(response: ServerResponse, ok: boolean): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(ok ? 200 : 503, headers).end(JSON.stringify({ ok }));
}
