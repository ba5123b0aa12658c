import type { ExportView } from '../../exports/api/export-view.ts';
import { exportMetadata, removedMetadata } from './export-metadata.ts';

interface EventLinesOptions {
  /** The `Last-Event-ID` of a client that reconnects; null for a new one. */
  readonly lastSeen: string | null;
  readonly heartbeatMs: number;
  /** The export as it was before the follow. */
  readonly found: ExportView;
  /** Ends `views` before the export does: the client has disconnected, or the service shuts down. */
  readonly ended: AbortSignal;
}

/** The revision and numbers that the client has. */
interface SentView {
  readonly revision: number;
  /** null after a reconnect, because they are unknown. */
  readonly figures: string | null;
}

/** Live progress has no revision of its own: its events have the ids between the last revision and the next one. */
const IDS_PER_REVISION = 1_000_000;

/** The revision that a reconnected client has seen; null if its id is not from this export. */
export function lastSeenRevision(lastSeen: string | null, { revision }: ExportView): number | null {
  const seen = Math.floor(idOf(lastSeen) / IDS_PER_REVISION);
  return seen === 0 || seen > revision ? null : seen;
}

/** 0 is not the id of an event: revisions start at 1. */
function idOf(lastSeen: string | null): number {
  return lastSeen !== null && /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : 0;
}

/**
 * The lines of an event stream: `state` with all metadata when more than numbers have changed, `progress` with the
 * numbers otherwise, and periodic comments so that no proxy closes the connection. The ids rise and contain the
 * revision, so that a client that reconnects gets only what it has missed. If the export is removed meanwhile, a last
 * `state` says so; an end without it means that the client should reconnect.
 */
export async function* eventLines(
  views: AsyncIterable<ExportView>,
  { lastSeen, heartbeatMs, found, ended }: EventLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const iterator = views[Symbol.asyncIterator]();
  let sent: SentView | null = null;
  let latest = found;
  let lastId = lastSeenRevision(lastSeen, found) === null ? 0 : idOf(lastSeen);
  const nextId = (revision: number) => {
    lastId = Math.max(revision * IDS_PER_REVISION, lastId + 1);
    return lastId;
  };
  yield 'retry: 2000\n\n';
  try {
    let next = iterator.next();
    for (;;) {
      const step = await firstOf(next, heartbeatMs);
      if (step === 'heartbeat') {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) {
        const isRemoved = !ended.aborted && !(sent !== null && latest.settled);
        if (isRemoved) yield eventText(nextId(latest.revision + 1), 'state', removedMetadata(latest));
        return;
      }
      const view = step.value;
      latest = view;
      const seen = lastSeenRevision(lastSeen, view);
      const before: SentView | null = sent ?? (seen === null ? null : { revision: seen, figures: null });
      const figures = figuresOf(view);
      if (before === null || view.stateRevision > before.revision) {
        yield eventText(nextId(view.revision), 'state', exportMetadata(view));
      } else if (view.revision > before.revision || (before.figures ?? figures) !== figures) {
        yield eventText(nextId(view.revision), 'progress', progressData(view));
      }
      sent = { revision: view.revision, figures };
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

function progressData(view: ExportView): object {
  const { export_id, state, progress, outputs, shorts } = exportMetadata(view);
  return { export_id, state, progress, outputs, shorts };
}

function eventText(id: number, event: 'state' | 'progress', data: object): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Includes frames that are not recorded yet and are in no revision. */
function figuresOf(view: ExportView): string {
  const { outputs, shorts } = exportMetadata(view);
  return [...Object.values(outputs), ...shorts].map(({ progress }) => progress).join();
}
