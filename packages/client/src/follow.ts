import type { ExportInfo } from './answers.ts';
import { type Connection, pause, pauseMs, unreachable } from './connection.ts';
import { eventsIn } from './server-events.ts';
import { TiercutError } from './tiercut-error.ts';

/**
 * How an export stands, whenever that changes, until it changes no more; one that is deleted meanwhile is `cancelled` at last,
 * or `expired` where its video was there. Comes back after a broken connection and misses no state for it. Over `fetch`, since `EventSource` sends no API key.
 */
export async function* follow(
  connection: Connection,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ExportInfo, void, undefined> {
  let latest: ExportInfo | null = null;
  let lastId: string | null = null;
  for (let tries = 0; ; ) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) };
      const response = await connection.send(`/video/exports/${id}/events`, { headers, signal });
      if (response.status === 204 || response.body === null) return;
      let isSilent = true;
      for await (const event of eventsIn(response.body)) {
        tries = 0;
        isSilent = false;
        lastId = event.id ?? lastId;
        const told = JSON.parse(event.data) as Partial<ExportInfo>;
        // Progress tells what has changed, a state all there is; who comes back may be told of progress first.
        latest =
          event.event === 'state'
            ? (told as ExportInfo)
            : { ...(latest ?? (await status(connection, id, signal))), ...told };
        yield latest;
        if (latest.state === 'cancelled' || latest.state === 'expired') return;
      }
      // It ended: the next answer says whether that was all. One that never says anything is not asked without end.
      if (isSilent) throw unreachable(new Error('the stream ended without an event'));
    } catch (error) {
      signal?.throwIfAborted();
      const failure = error instanceof TiercutError ? error : unreachable(error);
      if (!failure.isPassing || tries >= connection.retries) throw failure;
      await pause(pauseMs(tries, failure.retryAfterSeconds), signal);
      tries += 1;
    }
  }
}

function status(connection: Connection, id: string, signal: AbortSignal | undefined): Promise<ExportInfo> {
  return connection.json(`/video/exports/${id}`, { signal });
}
