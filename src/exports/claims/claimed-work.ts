import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ExportError, isRequestFault } from '../../errors.ts';
import { FirstSignal } from '../../platform/first-signal.ts';
import type { ClaimRelease, ClaimTerms } from '../../store/claims/claim-table.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Changes } from '../../store/nodes/changes.ts';
import type { Log } from '../log.ts';

/** Recorded work, and this node's claim on it. */
interface Claim {
  readonly id: string;
  /** The id that followers listen to; the work's own id if absent. */
  readonly exportId?: string;
  readonly tenant: string;
  /** How often it was claimed, including this time. */
  readonly tries: number;
}

/** The records of a kind of work. */
interface ClaimRecords<C extends Claim, Progress> {
  claim(holder: string, terms: ClaimTerms, tx: Transaction): Promise<C | null>;
  hold(id: string, holder: string, progress: Progress, untilMs: number, tx: Transaction): Promise<boolean>;
  release(id: string, holder: string, how: ClaimRelease, tx: Transaction): Promise<void>;
  releaseAll(tx: Transaction): Promise<void>;
}

interface ClaimedWorkPorts {
  readonly database: Database;
  readonly changes: Pick<Changes, 'notify' | 'listen'>;
  /** Whether no other process uses the same records. */
  readonly alone: boolean;
  readonly now: () => number;
  readonly log: Log;
}

/** A kind of work. */
interface ClaimedKind<C extends Claim, Progress> {
  /** Its name in the log. */
  readonly name: string;
  readonly records: ClaimRecords<C, Progress>;
  /** How much this node does at once: in all, and for one tenant. */
  readonly maxAtOnce: number;
  readonly maxOfOneTenant: number;
  readonly nothingDone: Progress;
  /** Called before each look for work, also while this node is busy. */
  readonly onLook?: () => Promise<void>;
  /** Does it, and records that it is done. */
  readonly work: (claim: C, holder: string, signal: AbortSignal, report: (progress: Progress) => void) => Promise<void>;
  /** Records that it cannot be done. */
  readonly fail: (claim: C, holder: string, error: unknown) => Promise<void>;
}

/** A node that has not renewed its claim for this long is dead. */
const HELD_MS = 30_000;
const HOLD_EVERY_MS = 5_000;
/** Other nodes may have left work, and their notices can be lost. */
const LOOK_FOR_OTHERS_MS = 5_000;
const LOOK_AGAIN_MS = 60_000;
const AFTER_A_FAULT_MS = 10_000;
/** A fault of the service can be temporary. */
const MAX_TRIES = 5;
/** Followers read the record at each notice. */
const NOTIFY_EVERY_MS = 1000;

/** Does recorded work, even if the process that accepted it dies. */
export class ClaimedWork<C extends Claim, Progress> {
  readonly #kind: ClaimedKind<C, Progress>;
  readonly #ports: ClaimedWorkPorts;
  /** By holder. */
  readonly #underWay = new Map<string, { readonly tenant: string; readonly done: Promise<void> }>();
  #news = Promise.withResolvers<void>();

  constructor(kind: ClaimedKind<C, Progress>, ports: ClaimedWorkPorts) {
    this.#kind = kind;
    this.#ports = ports;
  }

  /** Call when there may be something to do. */
  wake(): void {
    this.#news.resolve();
  }

  /** Does what is due, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { database, alone, log } = this.#ports;
    const { records, name, onLook } = this.#kind;
    const wake = () => this.wake();
    signal.addEventListener('abort', wake, { once: true });
    // The holders are dead.
    if (alone) await records.releaseAll(database);
    while (!signal.aborted) {
      this.#news = Promise.withResolvers();
      try {
        await onLook?.();
        while (await this.#startNext(signal));
        const timer = setTimeout(wake, alone ? LOOK_AGAIN_MS : LOOK_FOR_OTHERS_MS);
        await this.#news.promise;
        clearTimeout(timer);
      } catch (error) {
        log('error', 'work not claimed', { work: name, error });
        await pause(AFTER_A_FAULT_MS, undefined, { signal }).catch(() => {});
      }
    }
    signal.removeEventListener('abort', wake);
    await Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  /** False if there is nothing to do, or if enough is in progress. */
  async #startNext(signal: AbortSignal): Promise<boolean> {
    const { database, now } = this.#ports;
    const { records, maxAtOnce, maxOfOneTenant } = this.#kind;
    if (signal.aborted || this.#underWay.size >= maxAtOnce) return false;
    const tenants = Map.groupBy(this.#underWay.values(), ({ tenant }) => tenant);
    const except = [...tenants].filter(([, own]) => own.length >= maxOfOneTenant).map(([tenant]) => tenant);
    const nowMs = now();
    // Each claim has its own holder, so an expired claim stays lost even if this process claims the work again.
    const holder = randomUUID();
    const claim = await records.claim(holder, { nowMs, untilMs: nowMs + HELD_MS, except }, database);
    if (claim === null) return false;
    const done = this.#do(claim, holder, signal).finally(() => {
      this.#underWay.delete(holder);
      this.wake();
    });
    this.#underWay.set(holder, { tenant: claim.tenant, done });
    return true;
  }

  async #do(claim: C, holder: string, signal: AbortSignal): Promise<void> {
    const { changes, log } = this.#ports;
    const { records, work, nothingDone, name } = this.#kind;
    const { id, exportId = id } = claim;
    await using held = new HeldWork({ id, exportId }, holder, nothingDone, records, this.#ports);
    using end = new FirstSignal(signal, held.lost);
    try {
      // The processes that started it crashed, perhaps because of it.
      if (claim.tries > MAX_TRIES) throw new Error(`${name} was started ${MAX_TRIES} times and never finished`);
      await work(claim, holder, end.signal, (progress) => held.report(progress));
      changes.notify(exportId);
    } catch (error) {
      await this.#end(claim, holder, error, { stopping: signal.aborted, lost: held.lost.aborted }).catch(
        (cause: unknown) => {
          // The claim expires by itself.
          log('error', 'end of work not recorded', { work: name, id, error: cause });
        },
      );
    }
  }

  async #end(
    claim: C,
    holder: string,
    error: unknown,
    { stopping, lost }: { readonly stopping: boolean; readonly lost: boolean },
  ): Promise<void> {
    const { database, changes, now, log } = this.#ports;
    const { records, fail, name } = this.#kind;
    const { id, exportId = id, tries } = claim;
    if (lost) return;
    if (stopping) return records.release(id, holder, { dueAtMs: 0, countsTry: false }, database);
    if (!isFinal(error) && tries < MAX_TRIES) {
      log('error', 'work failed, to be retried', { work: name, id, tries, error });
      await records.release(id, holder, { dueAtMs: now() + AFTER_A_FAULT_MS, countsTry: true }, database);
      setTimeout(() => this.wake(), AFTER_A_FAULT_MS).unref();
      return;
    }
    log(isFinal(error) ? 'info' : 'error', 'work failed', { work: name, id, error });
    await fail(claim, holder, error);
    changes.notify(exportId);
  }
}

/** Renews the claim until disposed. `lost` aborts when the claim is lost or the work is no longer wanted. */
class HeldWork<Progress> implements AsyncDisposable {
  readonly #id: string;
  readonly #followedAs: string;
  readonly #holder: string;
  readonly #records: Pick<ClaimRecords<Claim, Progress>, 'hold'>;
  readonly #ports: ClaimedWorkPorts;
  readonly #lost = new AbortController();
  readonly #over = new AbortController();
  readonly #holding: Promise<void>;
  #progress: Progress;
  #notifiedAtMs = 0;

  constructor(
    { id, exportId }: { readonly id: string; readonly exportId: string },
    holder: string,
    progress: Progress,
    records: Pick<ClaimRecords<Claim, Progress>, 'hold'>,
    ports: ClaimedWorkPorts,
  ) {
    this.#id = id;
    this.#followedAs = exportId;
    this.#holder = holder;
    this.#progress = progress;
    this.#records = records;
    this.#ports = ports;
    this.#holding = this.#hold();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  report(progress: Progress): void {
    this.#progress = progress;
    const nowMs = performance.now();
    if (nowMs - this.#notifiedAtMs < NOTIFY_EVERY_MS) return;
    this.#notifiedAtMs = nowMs;
    void this.#say().then(() => this.#ports.changes.notify(this.#followedAs));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#holding;
  }

  async #hold(): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted && !this.lost.aborted) {
      const change = this.#ports.changes.listen(this.#followedAs);
      await this.#say();
      await Promise.race([change.next, pause(HOLD_EVERY_MS, undefined, { signal }).catch(() => {})]);
      change.stop();
    }
  }

  async #say(): Promise<void> {
    const { database, now, log } = this.#ports;
    try {
      const untilMs = now() + HELD_MS;
      const isOurs = await this.#records.hold(this.#id, this.#holder, this.#progress, untilMs, database);
      if (!isOurs && !this.#over.signal.aborted) this.#lost.abort();
    } catch (error) {
      log('error', 'claim not renewed', { id: this.#id, error });
    }
  }
}

/** Errors of a request, its addresses or its files would repeat at every try. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof ExportError)) return false;
  return error.code === 'media.quota_full' || isRequestFault(error.kind);
}
