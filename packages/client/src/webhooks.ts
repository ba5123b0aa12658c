import type { Connection } from './connection.ts';
import type { ListedWebhook, Webhook, WebhookList, WebhookSettings } from './wire-types.ts';

interface Abortable {
  readonly signal?: AbortSignal;
}

/** Registered webhooks, which receive the events of all exports. */
export class Webhooks {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async list({ signal }: Abortable = {}): Promise<readonly ListedWebhook[]> {
    return (await this.#connection.json<WebhookList>('/webhooks', { signal })).webhooks;
  }

  get(name: string, { signal }: Abortable = {}): Promise<Webhook> {
    return this.#connection.json(pathOf(name), { signal });
  }

  /** Registers it, or replaces it. The response has the secret only if the service has made one. */
  put(name: string, settings: WebhookSettings, { signal }: Abortable = {}): Promise<Webhook> {
    return this.#connection.json(pathOf(name), { method: 'PUT', json: settings, signal });
  }

  /** Deletes it. Events that wait for it are dropped. */
  async delete(name: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(pathOf(name), { method: 'DELETE', signal });
  }
}

function pathOf(name: string): string {
  return `/webhooks/${encodeURIComponent(name)}`;
}
