import type { Listening } from '../../test/service/export-client.ts';

/** One tenant fills the queue, the other asks for something now and then. */
export type Tenant = 'greedy' | 'modest';

const KEYS: Readonly<Record<Tenant, string>> = { greedy: 'greedy-0123456789abcdef', modest: 'modest-0123456789abcdef' };
const METRICS_KEY = 'metrics-0123456789abcdef';

/** The settings of the service for its clients. */
export const KEY_SETTINGS = {
  TIERCUT_API_KEYS: Object.entries(KEYS)
    .map(([tenant, key]) => `${tenant}:${key}`)
    .join(','),
  TIERCUT_METRICS_KEY: METRICS_KEY,
};

/** Speaks to the service for a tenant. */
export class Client {
  readonly tenant: Tenant;
  readonly #service: Listening;

  constructor(tenant: Tenant, service: Listening) {
    this.tenant = tenant;
    this.#service = service;
  }

  /** Of an export, or of something below it. */
  fetch(id: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.headers, ...(init.headers as Record<string, string> | undefined) };
    return fetch(`${this.#service.base}/video/exports/${id}`, { ...init, headers });
  }

  get service(): Listening {
    return this.#service;
  }

  get headers(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${KEYS[this.tenant]}` };
  }

  async metrics(): Promise<string> {
    const headers = { authorization: `Bearer ${METRICS_KEY}` };
    return (await fetch(`${this.#service.base}/metrics`, { headers })).text();
  }
}
