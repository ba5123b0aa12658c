import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceStatus } from '../../exports/exports-api.ts';
import { watchLoopDelay } from './loop-delay.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 240];
const DELAY_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The figures of one service, in a registry of its own: two services in one process do not mix. (C31) */
export class Metrics implements Disposable {
  readonly #registry = new Registry();
  readonly #requests = this.#histogram(
    'tiercut_http_request_seconds',
    'Time from the first byte of a request to the last of its answer.',
    REQUEST_SECONDS,
    ['method', 'route', 'status'],
  );
  readonly #loopDelays = this.#histogram(
    'tiercut_loop_delay_seconds',
    'How late the event loop is, looked at ten times a second: what a request waits before anybody looks at it.',
    DELAY_SECONDS,
  );
  readonly #received = this.#counter('tiercut_received_bytes_total', 'Bytes of uploaded files taken in.');
  readonly #uploads = this.#gauge('tiercut_uploads_in_flight', 'Requests whose bodies are arriving.');
  readonly #exports = this.#gauge('tiercut_exports', 'Exports kept, by state.', ['state']);
  readonly #exportsWaiting = this.#gauge('tiercut_exports_waiting', 'Exports that nobody has begun with.');
  readonly #jobsWaiting = this.#gauge('tiercut_jobs_waiting', 'Jobs that wait to be done.');
  readonly #running = this.#gauge('tiercut_jobs_running', 'Jobs being done.');
  readonly #freeDisk = this.#gauge('tiercut_free_disk_bytes', 'Free bytes where exports are kept.');
  readonly #ready = this.#gauge('tiercut_ready', '1 while the service can take exports.');
  readonly #loopWatch = watchLoopDelay(this.#loopDelays);

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** A request that was answered. `route` is the pattern, never the address, which has no bounds. */
  countRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status: String(status) }, seconds);
  }

  /** A body that begins to arrive; ends when disposed. */
  countUpload(): Disposable {
    this.#uploads.inc();
    return { [Symbol.dispose]: () => this.#uploads.dec() };
  }

  countReceived(bytes: number): void {
    this.#received.inc(bytes);
  }

  /** Everything, in Prometheus' text format. */
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
