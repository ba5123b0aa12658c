import { type ExportView, isFinal } from '../../exports/exports-api.ts';
import { exportMetadata } from './export-metadata.ts';

export interface EventLinesOptions {
  /** The `Last-Event-ID` of a client that comes back; null for a new one. */
  readonly lastSeen: string | null;
  readonly heartbeatMs: number;
}

/** Names what a client has seen of an export. Made of the state itself, so that it outlives connections and restarts. */
export function eventId(view: ExportView): string {
  const { state, outputs } = exportMetadata(view);
  return [state, ...Object.values(outputs).map((output) => `${output.state}-${output.progress}`)].join('.');
}

/**
 * An export's course as the lines of an event stream: `state` with all metadata when a state changes, `progress` with
 * the figures otherwise, and a comment now and then so that nobody on the way takes the connection for dead.
 */
export async function* eventLines(
  views: AsyncIterable<ExportView>,
  { lastSeen, heartbeatMs }: EventLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const iterator = views[Symbol.asyncIterator]();
  let seen = lastSeen;
  yield 'retry: 2000\n\n';
  try {
    let next = iterator.next();
    for (;;) {
      const step = await firstOf(next, heartbeatMs);
      if (step === 'heartbeat') {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) return;
      const id = eventId(step.value);
      if (id !== seen) yield eventText(step.value, id, statesOf(id) === statesOf(seen ?? ''));
      seen = id;
      if (isFinal(step.value.state)) return;
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

async function firstOf<T>(next: Promise<T>, heartbeatMs: number): Promise<T | 'heartbeat'> {
  let timer: NodeJS.Timeout | undefined;
  const heartbeat = new Promise<'heartbeat'>((resolve) => {
    timer = setTimeout(resolve, heartbeatMs, 'heartbeat');
  });
  try {
    return await Promise.race([next, heartbeat]);
  } finally {
    clearTimeout(timer);
  }
}

function eventText(view: ExportView, id: string, onlyProgress: boolean): string {
  const metadata = exportMetadata(view);
  const { export_id, state, progress, outputs } = metadata;
  const data = onlyProgress ? { export_id, state, progress, outputs } : metadata;
  return `id: ${id}\nevent: ${onlyProgress ? 'progress' : 'state'}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The states within an id, without the figures. */
function statesOf(id: string): string {
  return id.replace(/-[0-9.]+/g, '');
}
