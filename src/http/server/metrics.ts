import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ServiceStatus } from '../../exports/exports-api.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 240];

/** The figures of one app, in a registry of its own: two apps in one process do not mix. (C31) */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'tiercut_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [this.#registry],
  });
  readonly #received = new Counter({
    name: 'tiercut_received_bytes_total',
    help: 'Bytes of uploaded files taken in.',
    registers: [this.#registry],
  });
  readonly #exports = this.#gauge('tiercut_exports', 'Exports kept, by state.', ['state']);
  readonly #waiting = this.#gauge('tiercut_jobs_waiting', 'Jobs that wait to be done.');
  readonly #running = this.#gauge('tiercut_jobs_running', 'Jobs being done.');
  readonly #freeDisk = this.#gauge('tiercut_free_disk_bytes', 'Free bytes where exports are kept.');
  readonly #ready = this.#gauge('tiercut_ready', '1 while the service can take exports.');

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** A request that was answered. `route` is the pattern, never the address, which has no bounds. */
  countRequest(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status: String(status) }, seconds);
  }

  countReceived(bytes: number): void {
    this.#received.inc(bytes);
  }

  /** Everything, in Prometheus' text format. */
  async text(status: ServiceStatus): Promise<string> {
    this.#exports.reset();
    for (const [state, count] of Object.entries(status.exportsByState)) this.#exports.set({ state }, count);
    this.#waiting.set(status.jobsWaiting);
    this.#running.set(status.jobsRunning);
    this.#ready.set(status.ready ? 1 : 0);
    if (status.freeDiskBytes !== null) this.#freeDisk.set(status.freeDiskBytes);
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  close(): void {
    this.#registry.clear();
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }
}
