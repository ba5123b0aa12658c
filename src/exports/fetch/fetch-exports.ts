import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportError } from '../../errors.ts';
import { FirstSignal } from '../../platform/first-signal.ts';
import type { Database } from '../../store/database.ts';
import type { ExportRecords } from '../../store/export-records.ts';
import type { ClaimedFetch, FetchProgress, FetchRecords } from '../../store/fetches/fetch-records.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Log } from '../log.ts';
import type { Meter } from '../meter.ts';
import { type EndExport, recordedError } from '../run/end-export.ts';
import type { SubmitExport } from '../submit/submit-export.ts';

interface FetchExportsPorts {
  readonly database: Database;
  readonly records: Pick<ExportRecords, 'find'>;
  readonly fetches: FetchRecords;
  readonly submit: Pick<SubmitExport, 'complete'>;
  readonly ends: Pick<EndExport, 'finish'>;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** Whether no other process has the same records. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly meter: Pick<Meter, 'exportFailed'>;
  readonly log: Log;
}

/** Exports whose files this node fetches at once, in all and of one tenant. */
const MOST_AT_ONCE = 64;
const MOST_OF_ONE_TENANT = 4;
/** A node that has said nothing for so long is dead. */
const HELD_MS = 30_000;
const HOLD_EVERY_MS = 5_000;
/** Other nodes may have left something; what they say may be lost. */
const LOOK_FOR_OTHERS_MS = 5_000;
const LOOK_AGAIN_MS = 60_000;
const AFTER_A_FAULT_MS = 10_000;
/** A fault of ours may pass. */
const MOST_TRIES = 5;
/** Those who follow an export look at it each time they are told. */
const TELL_EVERY_MS = 1000;

/** Fetches the files of accepted exports, whatever happens to the process that has accepted them. (C66) */
export class FetchExports {
  readonly #ports: FetchExportsPorts;
  readonly #holder = randomUUID();
  readonly #underWay = new Map<string, { readonly tenant: string; readonly done: Promise<void> }>();
  #news = Promise.withResolvers<void>();

  constructor(ports: FetchExportsPorts) {
    this.#ports = ports;
  }

  /** There may be something to fetch. */
  wake(): void {
    this.#news.resolve();
  }

  /** Fetches what is due, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, fetches, alone, log } = this.#ports;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    // Whoever held them is dead.
    if (alone) await fetches.releaseAll(database);
    while (!signal.aborted) {
      this.#news = Promise.withResolvers();
      try {
        while (await this.#startNext(signal));
        const timer = setTimeout(wake, alone ? LOOK_AGAIN_MS : LOOK_FOR_OTHERS_MS);
        await this.#news.promise;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'files of exports could not be fetched', { error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener('abort', wake);
    await Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  /** False where there is nothing to fetch, or enough under way. */
  async #startNext(signal: AbortSignal): Promise<boolean> {
    const { database, fetches, now } = this.#ports;
    if (signal.aborted || this.#underWay.size >= MOST_AT_ONCE) return false;
    const tenants = Map.groupBy(this.#underWay.values(), ({ tenant }) => tenant);
    const except = [...tenants].filter(([, own]) => own.length >= MOST_OF_ONE_TENANT).map(([tenant]) => tenant);
    const nowMs = now();
    const claim = await fetches.claim(this.#holder, { nowMs, untilMs: nowMs + HELD_MS, except }, database);
    if (claim === null) return false;
    const { exportId, tenant } = claim;
    const done = this.#fetch(claim, signal).finally(() => {
      this.#underWay.delete(exportId);
      this.wake();
    });
    this.#underWay.set(exportId, { tenant, done });
    return true;
  }

  async #fetch(claim: ClaimedFetch, signal: AbortSignal): Promise<void> {
    const { database, records, submit, changes, log } = this.#ports;
    const { exportId, waits } = claim;
    await using held = new HeldFetch(exportId, this.#holder, this.#ports);
    using end = new FirstSignal(signal, held.lost);
    try {
      const record = await records.find(exportId, database);
      if (record === null) return;
      const onProgress = (progress: FetchProgress) => held.report(progress);
      await submit.complete(record, { holder: this.#holder, waits }, end.signal, onProgress);
      changes.notify(exportId);
    } catch (error) {
      await this.#end(claim, error, { stopping: signal.aborted, lost: held.lost.aborted }).catch((cause: unknown) => {
        // The claim runs out by itself.
        log('error', 'the end of a fetch could not be recorded', { exportId, error: cause });
      });
    }
  }

  async #end(
    { exportId, tries }: ClaimedFetch,
    error: unknown,
    { stopping, lost }: { readonly stopping: boolean; readonly lost: boolean },
  ): Promise<void> {
    const { database, fetches, ends, changes, meter, now, log } = this.#ports;
    if (lost) return;
    if (stopping) return fetches.release(exportId, this.#holder, 0, database);
    if (!isFinal(error) && tries < MOST_TRIES) {
      log('error', 'the files of an export could not be fetched for now', { exportId, tries, error });
      await fetches.release(exportId, this.#holder, now() + AFTER_A_FAULT_MS, database);
      setTimeout(() => this.wake(), AFTER_A_FAULT_MS).unref();
      return;
    }
    log(isFinal(error) ? 'info' : 'error', 'the files of an export could not be fetched', { exportId, error });
    const known = error instanceof ExportError ? error : ourFault(error);
    await database.transaction(
      async (tx) => {
        if (await fetches.end(exportId, this.#holder, tx))
          await ends.finish(exportId, { error: recordedError(known) }, tx);
      },
      { lockExport: exportId },
    );
    meter.exportFailed(known.code);
    changes.notify(exportId);
  }
}

type HeldFetchPorts = Pick<FetchExportsPorts, 'database' | 'fetches' | 'changes' | 'now' | 'log'>;

/** Says again and again that this node is at work on an export, until disposed; `lost` once it is not wanted any more. */
class HeldFetch implements AsyncDisposable {
  readonly #exportId: string;
  readonly #holder: string;
  readonly #ports: HeldFetchPorts;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #holding: Promise<void>;
  #progress: FetchProgress = { filesDone: 0, bytesDone: 0 };
  #toldAtMs = 0;

  constructor(exportId: string, holder: string, ports: HeldFetchPorts) {
    this.#exportId = exportId;
    this.#holder = holder;
    this.#ports = ports;
    this.#holding = this.#hold();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  report(progress: FetchProgress): void {
    this.#progress = progress;
    const nowMs = performance.now();
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    void this.#say().then(() => this.#ports.changes.notify(this.#exportId));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#holding;
  }

  async #hold(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted && !this.lost.aborted) {
      const change = this.#ports.changes.listen(this.#exportId);
      await this.#say();
      await Promise.race([change.next, pause(HOLD_EVERY_MS, undefined, { signal }).catch(() => {})]);
      change.stop();
    }
  }

  async #say(): Promise<void> {
    const { database, fetches, now, log } = this.#ports;
    try {
      const untilMs = now() + HELD_MS;
      const isOurs = await fetches.hold(this.#exportId, this.#holder, this.#progress, untilMs, database);
      if (!isOurs && !this.#over.signal.aborted) this.#lost.abort();
    } catch (error) {
      log('error', 'a claim on a fetch could not be renewed', { exportId: this.#exportId, error });
    }
  }
}

/** What is wrong with a request, its addresses or its files will be wrong the next time. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ExportError)) return false;
  return error.code === 'media.quota_full' || (error.kind !== 'internal' && error.kind !== 'unavailable');
}

function ourFault(cause: unknown): ExportError {
  const message = 'The files of the export could not be fetched. This is our fault.';
  return new ExportError('internal', 'fetch.internal', message, { cause });
}
