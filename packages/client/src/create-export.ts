import type { Connection } from './connection.ts';
import { pause } from './retry.ts';
import { TiercutError } from './tiercut-error.ts';
import type { Export } from './wire-types.ts';

/** How long a create waits for room in the queue, unless the caller says otherwise. */
const ROOM_WITHIN_MS = 600_000;
/** Between two tries, if the service does not say when. */
const ROOM_POLL_MS = 5_000;

export interface WaitForRoom {
  /** How long to wait for room while too many exports wait (`queue.full`): 10 minutes if absent, 0 to fail at once, `Infinity`. */
  readonly roomWithinMs?: number;
  readonly signal?: AbortSignal;
}

/** Starts an export at an address that creates one. @throws TiercutError `queue.full` without room within `roomWithinMs`. */
export async function createExport(
  connection: Connection,
  path: string,
  { json, idempotencyKey }: { readonly json: unknown; readonly idempotencyKey: string },
  { roomWithinMs = ROOM_WITHIN_MS, signal }: WaitForRoom,
): Promise<Export> {
  const headers = { accept: 'application/json', prefer: 'respond-async', 'idempotency-key': idempotencyKey };
  const waitsUntil = performance.now() + roomWithinMs;
  const create = async (): Promise<Export> => {
    const response = await connection.send(path, { method: 'POST', headers, json, signal });
    return response.json() as Promise<Export>;
  };
  for (;;) {
    try {
      // A full queue is not a fault of the connection: its retries are for those.
      return await connection.again(() => create().catch(asLasting), signal);
    } catch (error) {
      if (!isFull(error)) throw error;
      const pauseMs = (error.retryAfterSeconds ?? ROOM_POLL_MS / 1000) * 1000;
      if (performance.now() + pauseMs > waitsUntil) throw error;
      await pause(pauseMs, signal);
    }
  }
}

function isFull(error: unknown): error is TiercutError {
  return error instanceof TiercutError && error.code === 'queue.full';
}

/** @throws the error, and a full queue as one that the connection does not retry. */
function asLasting(error: unknown): never {
  throw isFull(error) ? error.lasting() : error;
}
