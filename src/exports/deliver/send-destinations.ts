import { ExportError } from '../../errors.ts';
import type { Resolver } from '../../outbound/guarded-request.ts';
import { type SendOutcome, sendFile } from '../../outbound/send-file.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Attempt, Job, JobQueue } from '../../store/job-queue.ts';
import type { Changes } from '../../store/nodes/node-store.ts';
import type { DestinationRecords } from '../../store/records/destination-records.ts';
import type { RecordedError } from '../../store/records/export-record.ts';
import type { Meter } from '../api/meter.ts';
import { type OpenOutput, VIDEO_TYPE } from '../api/open-output.ts';
import type { EventLog } from '../event-log.ts';
import type { Log } from '../log.ts';
import { QueuedWork } from '../queued-work.ts';
import { recordedError } from '../run/end-export.ts';

const IDLE_MS = 60_000;
/** A destination that accepts almost nothing for hours would block others. */
const TOTAL_MS = 6 * 3_600_000;

/** How videos are sent to destinations. */
export interface DestinationsPolicy {
  /** How many this node sends at once: in all, and for one tenant. */
  readonly maxSends: number;
  readonly maxTenantSends: number;
  readonly allowPrivateDestinations: boolean;
}

interface SendDestinationsPorts {
  readonly database: Database;
  readonly destinations: DestinationRecords;
  readonly jobs: JobQueue;
  readonly eventLog: Pick<EventLog, 'record'>;
  /** null if it does not exist, or no longer exists. */
  readonly open: (exportId: string, preset: string) => Promise<OpenOutput | null>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly policy: DestinationsPolicy;
  readonly meter: Pick<Meter, 'destinationTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
}

/** Sends finished videos to their destinations, even if this process dies. (C69) */
export class SendDestinations extends QueuedWork {
  constructor(ports: SendDestinationsPorts) {
    const { maxSends, maxTenantSends } = ports.policy;
    super(
      {
        name: 'sending a video to its destination',
        lane: 'destination',
        maxAtOnce: maxSends,
        maxOfOneTenant: maxTenantSends,
        work: (attempt, signal) => send(attempt, ports, signal),
        fail: (job, fault, tx) => settle(placeOf(job), recordedError(ourFault(fault)), ports, tx),
      },
      ports,
    );
  }
}

interface Place {
  readonly exportId: string;
  readonly preset: string;
}

function placeOf({ exportId, presets }: Job): Place {
  return { exportId, preset: presets[0]! };
}

async function send(attempt: Attempt, ports: SendDestinationsPorts, signal: AbortSignal): Promise<void> {
  const { database, destinations, jobs, changes, open, policy, resolve } = ports;
  const { exportId, preset } = placeOf(attempt.job);
  const due = await database.transaction(
    async (tx) => {
      const begun = await destinations.begin({ exportId, preset }, attempt.failures, tx);
      if (begun === null) await jobs.complete(attempt, tx);
      return begun;
    },
    { lockExport: exportId },
  );
  if (due === null) return;
  changes.notify(exportId);
  const output = await open(exportId, preset);
  if (output === null) throw new Error('the video of a finished output is not there');
  const { bytes, sha256 } = output;
  const outcome = await sendFile(
    { url: new URL(due.target.url), headers: due.target.headers },
    { contentType: VIDEO_TYPE, bytes, sha256, stream: () => output.stream() },
    { allowPrivate: policy.allowPrivateDestinations, idleMs: IDLE_MS, totalMs: TOTAL_MS, resolve },
    signal,
  );
  // Aborted because the service stops, or because the lease is lost: the try does not count.
  if (!outcome.sent) signal.throwIfAborted();
  await record(attempt, outcome.sent ? 'sent' : { error: notSent(outcome), final: outcome.final }, ports);
}

async function record(attempt: Attempt, result: Result, ports: SendDestinationsPorts): Promise<void> {
  const { database, destinations, jobs, meter, log } = ports;
  const place = placeOf(attempt.job);
  const error = result === 'sent' ? null : recordedError(result.error);
  const reason = error?.message ?? null;
  const outcome = await database.transaction(
    async (tx) => {
      if (result === 'sent' || error === null) {
        if (!(await jobs.complete(attempt, tx))) return 'lost';
        await settle(place, null, ports, tx);
        return 'sent';
      }
      const became = await jobs.fail(attempt, error.message, result.final, tx);
      if (became === 'failed') await settle(place, error, ports, tx);
      if (became === 'retried') await destinations.retry(place, error, tx);
      return became;
    },
    { lockExport: place.exportId },
  );
  const message = result === 'sent' ? 'a video was sent' : 'a video could not be sent';
  log('info', message, { ...place, attempts: attempt.failures + 1, outcome, reason });
  if (outcome !== 'lost') meter.destinationTried(outcome);
}

async function settle(
  place: Place,
  error: RecordedError | null,
  { destinations, eventLog }: Pick<SendDestinationsPorts, 'destinations' | 'eventLog'>,
  tx: Transaction,
): Promise<void> {
  if (!(await destinations.settle(place, error, tx))) return;
  const type = error === null ? 'destination.sent' : 'destination.failed';
  await eventLog.record(place.exportId, [{ type, preset: place.preset }], tx);
}

/** The result of a try. */
type Result = 'sent' | { readonly error: ExportError; readonly final: boolean };

function notSent({ code, reason }: Extract<SendOutcome, { sent: false }>): ExportError {
  const message = `The video could not be sent to its destination: ${reason}.`;
  return new ExportError('invalid', code, message);
}

function ourFault(cause: unknown): ExportError {
  const message = 'The video could not be sent to its destination because of an internal error.';
  return new ExportError('internal', 'destination.internal', message, { cause });
}
