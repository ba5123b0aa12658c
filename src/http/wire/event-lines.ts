import type { ExportView } from '../../exports/exports-api.ts';
import { exportMetadata, removedMetadata } from './export-metadata.ts';

interface EventLinesOptions {
  /** The `Last-Event-ID` of a client that comes back; null for a new one. */
  readonly lastSeen: string | null;
  readonly heartbeatMs: number;
  /** The export as it was found before it was followed. */
  readonly found: ExportView;
  /** What makes `views` end though the export goes on: the client is gone, or the service shuts down. */
  readonly ended: AbortSignal;
}

/** The revision and figures that the client has. */
interface SentView {
  readonly revision: number;
  /** null: in an earlier connection, so nobody knows. */
  readonly figures: string | null;
}

/** Live progress has no revision of its own: its events have the ids between that of the last revision and the next one. */
const IDS_PER_REVISION = 1_000_000;

/** What a client that comes back has seen; null where its id is not of this export's making. */
export function lastSeenRevision(lastSeen: string | null, { revision }: ExportView): number | null {
  const seen = Math.floor(idOf(lastSeen) / IDS_PER_REVISION);
  return seen === 0 || seen > revision ? null : seen;
}

/** 0 is the id of no event: revisions start at 1. */
function idOf(lastSeen: string | null): number {
  return lastSeen !== null && /^\d{1,15}$/.test(lastSeen) ? Number(lastSeen) : 0;
}

/**
 * An export's course as the lines of an event stream: `state` with all metadata when more than figures have changed,
 * `progress` with the figures otherwise, and a comment now and then so that nobody on the way takes the connection for
 * dead. The ids rise, and name the record's revision, so that a client that comes back is sent what it has missed, and only
 * that. One that is removed meanwhile has a last `state` that says so: an end without a word means that it is worth coming back.
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

/** Frames that are not recorded yet show here, and in no revision. */
function figuresOf(view: ExportView): string {
  const { outputs, shorts } = exportMetadata(view);
  return [...Object.values(outputs), ...shorts].map(({ progress }) => progress).join();
}
