import { type Connection, unreachable } from './connection.ts';
import { eventsIn } from './server-events.ts';
import type { Export, ProgressEvent } from './wire-types.ts';

/**
 * Yields the state of an export on every change, until it is final. If the export is deleted meanwhile, the last state
 * is `cancelled`, or `expired` if its video was complete. Reconnects after a broken connection and misses no state.
 * Uses `fetch`, because `EventSource` cannot send an API key.
 */
export async function* follow(
  connection: Connection,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Export, void, undefined> {
  let latest: Export | null = null;
  let lastId: string | null = null;
  for (let attempt = 0; ; ) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) };
      const response = await connection.send(`/video/exports/${id}/events`, { headers, signal });
      if (response.status === 204 || response.body === null) return;
      let isSilent = true;
      for await (const event of eventsIn(response.body)) {
        attempt = 0;
        isSilent = false;
        lastId = event.id ?? lastId;
        const parsed = JSON.parse(event.data) as Export | ProgressEvent;
        // A progress event has only what changed, a state event has everything. After a reconnect a progress event can come first.
        latest =
          event.event === 'state'
            ? (parsed as Export)
            : { ...(latest ?? (await status(connection, id, signal))), ...parsed };
        yield latest;
        if (latest.state === 'cancelled' || latest.state === 'expired') return;
      }
      // The stream ended: the next response shows whether it is complete. A service that never sends an event is not
      // retried forever.
      if (isSilent) throw unreachable(new Error('the stream ended without an event'));
    } catch (error) {
      await connection.passed(error, attempt, signal);
      attempt += 1;
    }
  }
}

function status(connection: Connection, id: string, signal: AbortSignal | undefined): Promise<Export> {
  return connection.json(`/video/exports/${id}`, { signal });
}
