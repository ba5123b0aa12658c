import type { Connection } from './connection.ts';
import { everyPage, listParameters } from './every-page.ts';
import type { Batch, BatchList, BatchRequest, BatchRow, BatchRows } from './wire-types.ts';

interface Abortable {
  readonly signal?: AbortSignal;
}

/** Which rows. */
interface RowQuery extends Abortable {
  readonly state?: BatchRow['state'];
}

/** Which batches. Times are as in `created_at`, or days in UTC. */
export interface BatchesQuery {
  readonly state?: Batch['state'];
  /** The id of their project. */
  readonly project?: string;
  /** Pairs that their metadata have. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** How long a request stays open: shorter than the silence that proxies usually allow. */
const LONG_WAIT = 'wait=20';

/** Many exports of one stored project. */
export class Batches {
  readonly #connection: Connection;

  readonly #newKey: () => string;

  /** @param newKey for a batch without a key of its own, so that a broken connection makes no second one. */
  constructor(connection: Connection, newKey: () => string) {
    this.#connection = connection;
    this.#newKey = newKey;
  }

  /** Makes a video for every row. The service makes them even if this client goes away. */
  create(
    batch: BatchRequest,
    { idempotencyKey = this.#newKey(), signal }: Abortable & { readonly idempotencyKey?: string } = {},
  ): Promise<Batch> {
    const headers = { 'idempotency-key': idempotencyKey };
    return this.#connection.json('/batches', { method: 'POST', headers, json: batch, signal });
  }

  /** The state of a batch. */
  get(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return this.#connection.json(pathOf(id), { signal });
  }

  /** Waits until every row has ended. Some may have failed: `counts` says how many. */
  async wait(
    id: string,
    { onProgress, signal }: Abortable & { readonly onProgress?: (share: number) => void } = {},
  ): Promise<Batch> {
    for (;;) {
      const batch = await this.#connection.json<Batch>(pathOf(id), { headers: { prefer: LONG_WAIT }, signal });
      onProgress?.(batch.progress);
      if (batch.state !== 'running') return batch;
    }
  }

  /** A page of your batches, newest first. */
  list({
    signal,
    ...query
  }: BatchesQuery & { readonly limit?: number; readonly cursor?: string } & Abortable = {}): Promise<BatchList> {
    return this.#connection.json(`/batches?${listParameters(query)}`, { signal });
  }

  /** Yields your batches, newest first, page by page. */
  async *all({ signal, ...query }: BatchesQuery & Abortable = {}): AsyncGenerator<Batch, void, undefined> {
    yield* everyPage(
      (cursor) => this.list({ ...query, ...(cursor !== undefined && { cursor }), ...(signal && { signal }) }),
      ({ batches }) => batches,
    );
  }

  /** A page of its rows. */
  page(
    id: string,
    { state, limit, cursor, signal }: RowQuery & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<BatchRows> {
    const given = Object.entries({ state, limit, cursor }).filter(([, value]) => value !== undefined);
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
    return this.#connection.json(`${pathOf(id)}/rows?${parameters}`, { signal });
  }

  /** Yields its rows in their order, page by page. */
  async *rows(id: string, query: RowQuery = {}): AsyncGenerator<BatchRow, void, undefined> {
    yield* everyPage(
      (cursor) => this.page(id, { ...query, limit: 100, ...(cursor !== undefined && { cursor }) }),
      ({ rows }) => rows,
    );
  }

  /** The table with what became of each row, as CSV. */
  results(id: string, { signal }: Abortable = {}): Promise<Blob> {
    return this.#connection.blob(`${pathOf(id)}/results.csv`, { signal });
  }

  /** Makes failed and cancelled rows again. */
  retry(id: string, { signal }: Abortable = {}): Promise<Batch> {
    return this.#connection.json(`${pathOf(id)}/retry`, { method: 'POST', signal });
  }

  /** Cancels what has not ended; finished videos stay. */
  async cancel(id: string, { signal }: Abortable = {}): Promise<void> {
    await this.#connection.send(pathOf(id), { method: 'DELETE', signal });
  }
}

function pathOf(id: string): string {
  return `/batches/${encodeURIComponent(id)}`;
}
