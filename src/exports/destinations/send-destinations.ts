import { ExportError } from '../../errors.ts';
import type { Resolver } from '../../outbound/guarded-request.ts';
import { nextTryInMs } from '../../outbound/retry-schedule.ts';
import { type SendOutcome, sendFile } from '../../outbound/send-file.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { ClaimedDestination, DestinationRecords } from '../../store/destinations/destination-records.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import { type OpenOutput, VIDEO_TYPE } from '../api/open-output.ts';
import { ClaimedWork } from '../claims/claimed-work.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
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
  /** null if it does not exist, or no longer exists. */
  readonly open: (exportId: string, preset: string) => Promise<OpenOutput | null>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  readonly policy: DestinationsPolicy;
  readonly alone: boolean;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'destinationTried'>;
  readonly log: Log;
  readonly resolve?: Resolver | undefined;
}

/** Sends finished videos to their destinations, even if this process dies. (C69) */
export class SendDestinations {
  readonly #ports: SendDestinationsPorts;
  readonly #claims: ClaimedWork<ClaimedDestination, null>;

  constructor(ports: SendDestinationsPorts) {
    this.#ports = ports;
    const { destinations, policy } = ports;
    const kind = {
      name: 'sending a video to its destination',
      records: destinations,
      maxAtOnce: policy.maxSends,
      maxOfOneTenant: policy.maxTenantSends,
      nothingDone: null,
      work: (claim: ClaimedDestination, holder: string, signal: AbortSignal) => this.#send(claim, holder, signal),
      fail: (claim: ClaimedDestination, holder: string, fault: unknown) =>
        this.#record(claim, holder, { error: ourFault(fault), final: true }),
    };
    this.#claims = new ClaimedWork(kind, ports);
  }

  /** Call when there may be a video to send. */
  wake(): void {
    this.#claims.wake();
  }

  /** Sends what is due, until `signal` aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#claims.run(signal);
  }

  async #send(claim: ClaimedDestination, holder: string, signal: AbortSignal): Promise<void> {
    const { destinations, changes, open, policy, resolve } = this.#ports;
    const { exportId, preset, target } = claim;
    await this.#change(exportId, (tx) => destinations.begin(claim, holder, tx));
    changes.notify(exportId);
    const output = await open(exportId, preset);
    if (output === null) throw new Error('the video of a finished output is not there');
    const { bytes, sha256 } = output;
    const outcome = await sendFile(
      { url: new URL(target.url), headers: target.headers },
      { contentType: VIDEO_TYPE, bytes, sha256, stream: () => output.stream() },
      { allowPrivate: policy.allowPrivateDestinations, idleMs: IDLE_MS, totalMs: TOTAL_MS, resolve },
      signal,
    );
    await this.#record(claim, holder, outcome.sent ? 'sent' : { error: notSent(outcome), final: outcome.final });
  }

  async #record(claim: ClaimedDestination, holder: string, result: Result): Promise<void> {
    const { destinations, meter, now, log } = this.#ports;
    const { exportId, preset } = claim;
    const attempts = claim.attempts + 1;
    const error = result === 'sent' ? null : recordedError(result.error);
    const pauseMs = result === 'sent' || result.final ? null : nextTryInMs(attempts);
    const outcome = result === 'sent' ? 'sent' : pauseMs === null ? 'failed' : 'retried';
    const message = result === 'sent' ? 'a video was sent' : 'a video could not be sent';
    log('info', message, { exportId, preset, attempts, outcome, reason: error?.message ?? null });
    meter.destinationTried(outcome);
    await this.#change(exportId, (tx) =>
      error === null || pauseMs === null
        ? destinations.settle(claim, holder, error, tx)
        : destinations.retry(claim, holder, { dueAtMs: now() + pauseMs, error }, tx),
    );
    if (pauseMs !== null) setTimeout(() => this.wake(), pauseMs).unref();
  }

  #change(exportId: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
    return this.#ports.database.transaction(work, { lockExport: exportId });
  }
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
