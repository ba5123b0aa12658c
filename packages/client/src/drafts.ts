import type { Connection } from './connection.ts';
import type { Draft, DraftRequest } from './wire-types.ts';

interface Abortable {
  readonly signal?: AbortSignal;
}

/** Drafts: videos that the service renders in idle time, so that their export is ready sooner. */
export class Drafts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends a draft under a UUID of your choice, in the place of the one before. Its media are uploaded already. It expires 10 minutes after the last `put` or `get`. */
  async put(id: string, draft: DraftRequest, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(pathOf(id), { method: 'PUT', json: draft, signal });
  }

  /** How much of it is rendered. */
  get(id: string, { signal }: Abortable = {}): Promise<Draft> {
    return this.#connection.json(pathOf(id), { signal });
  }

  /** Ends the rendering. */
  async delete(id: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(pathOf(id), { method: 'DELETE', signal });
  }
}

function pathOf(id: string): string {
  return `/video/drafts/${encodeURIComponent(id)}`;
}
