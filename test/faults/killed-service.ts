import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { deleteAny, type Load, LoadLedger, patientCreator, patientReader } from '../load/patient-clients.ts';
import { assertCountedOnce, assertNoRows, assertWhole, type Query } from '../load/whole-export.ts';
import { reached } from '../service/export-client.ts';
import { descendantsOf } from '../service/process-tree.ts';
import { ServiceFixture } from '../service/service-fixture.ts';

const CREATORS = 2;
const READERS = 2;
/** Of the kills, so many come while the service starts. */
const STARTING_SHARE = 0.15;
const STARTING_MS = 2_000;
/** Before so many of the others an export is deleted; half of the deletes are sent right before the kill. */
const DELETING_SHARE = 0.4;
const DELETING_MS = 15;
const REST_SECONDS = 30;
const WORK_SECONDS = 120;

/** What a job of each kind does. */
const JOB_KINDS: Readonly<Record<string, string>> = {
  chunks: 'chunks are rendered',
  sound: 'a sound is made',
  assembly: 'a video is assembled',
};

/** What happened to the exports of a round. */
export interface KilledRound {
  /** How often which work was in progress when the service was killed; a kill may interrupt several. */
  readonly moments: Readonly<Record<string, number>>;
  readonly counts: ReadonlyMap<string, number>;
  /** Exports that were there at the end, and jobs of theirs that were interrupted. */
  readonly whole: number;
  readonly interrupted: number;
  /** What must never happen, in words; the first word is `lost`, `doubled`, `failed`, `broken` or `left` for what has a name. */
  readonly faults: readonly string[];
}

/** One service on its own data folder that is killed repeatedly while clients use it. */
export class KilledService implements AsyncDisposable {
  readonly #service: ServiceFixture;
  readonly #random: () => number;
  readonly #upMs: number;

  private constructor(service: ServiceFixture, random: () => number, upMs: number) {
    this.#service = service;
    this.#random = random;
    this.#upMs = upMs;
  }

  /** @param upMs for how long at most it works before the next kill. */
  static async start(random: () => number, upMs: number): Promise<KilledService> {
    return new KilledService(await ServiceFixture.start({ TIERCUT_LOG_LEVEL: 'warn' }), random, upMs);
  }

  /**
   * Kills the service so often under load, and checks everything that it acknowledged. Then everything is deleted, and
   * nothing may be left.
   *
   * @param onKill gets the work that was in progress.
   */
  async round(kills: number, onKill: (moments: readonly string[]) => void = () => {}): Promise<KilledRound> {
    const ledger = new LoadLedger();
    const stop = new AbortController();
    const load: Load = { service: this.#service, ledger, random: this.#random, signal: stop.signal };
    const clients = Promise.all([
      ...Array.from({ length: CREATORS }, () => patientCreator(load)),
      ...Array.from({ length: READERS }, () => patientReader(load)),
    ]);
    const moments: Record<string, number> = {};
    const deletes: Promise<void>[] = [];
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        await Promise.race([this.#toNextKill(load, deletes), clients]);
        const found = await this.#kill(ledger);
        for (const moment of found) moments[moment] = (moments[moment] ?? 0) + 1;
        onKill(found);
      }
    } finally {
      stop.abort();
    }
    await Promise.all([clients, ...deletes]);
    const interrupted = await this.#account(ledger);
    const whole = ledger.kept.size;
    await this.#empty(ledger);
    return { moments, counts: ledger.counts, whole, interrupted, faults: ledger.faults };
  }

  /** Resolves when the next kill is due; its deletes have no response yet. */
  async #toNextKill(load: Load, deletes: Promise<void>[]): Promise<void> {
    if (this.#random() < STARTING_SHARE) return delay(this.#random() * STARTING_MS);
    await reached('a job that runs', () => this.#works(), WORK_SECONDS);
    await delay(this.#random() * this.#upMs);
    if (this.#random() >= DELETING_SHARE) return;
    deletes.push(deleteAny(load));
    await delay(this.#random() * (this.#random() < 0.5 ? DELETING_MS : this.#upMs));
  }

  /** A slow machine takes a while to start: kills by the clock alone would find no work in progress. */
  async #works(): Promise<boolean> {
    const { base, exitCode } = this.#service;
    return exitCode !== null || (base !== '' && (await this.#running()).length > 0);
  }

  /** The kinds of the jobs that run. */
  async #running(): Promise<string[]> {
    const rows = await this.#query("select distinct kind from jobs where lane = 'render' and state = 'running'").catch(
      () => [],
    );
    return (rows as { kind: string }[]).map(({ kind }) => kind);
  }

  /** SIGKILL, and a new start that is not awaited; returns the work that was in progress. */
  async #kill(ledger: LoadLedger): Promise<string[]> {
    const service = this.#service;
    assert.equal(service.exitCode, null, `it has ended by itself:\n${service.lines.slice(-20).join('\n')}`);
    const wasUp = service.base !== '';
    const deleting = ledger.deleting > 0;
    await service.killTree();
    const running = await this.#running();
    const uploads = service.files('work').some((file) => file.endsWith('.tmp'));
    service.launch();
    service.listening().catch(() => {}); // the next kill may come first
    const found = [
      ...(wasUp ? [] : ['the service starts']),
      ...(wasUp && deleting ? ['an export is deleted'] : []),
      ...(uploads ? ['a file is uploaded'] : []),
      ...running.map((kind) => JOB_KINDS[kind]!),
    ];
    return found.length === 0 ? ['nothing is under way'] : found;
  }

  /** Waits for the end of all exports and looks at each; how many jobs were interrupted. */
  async #account(ledger: LoadLedger): Promise<number> {
    const { faults, kept } = ledger;
    await reached('a service that listens', () => this.#service.base !== '');
    const rows = (await this.#query('select id from exports')) as { id: string }[];
    const known = new Set(rows.map(({ id }) => id));
    for (const id of kept.keys()) if (!known.has(id)) faults.push(`lost: ${id}`);
    for (const id of known) if (!kept.has(id)) faults.push(`doubled: ${id}, of which no client knows`);
    for (const id of known) await noted(faults, 'failed', () => assertWhole(this.#service, id, 'all'));
    await noted(faults, 'doubled', () => assertCountedOnce(this.#query));
    await noted(faults, 'doubled', () => this.#assertDoneOnce());
    const [{ deaths }] = (await this.#query('select coalesce(sum(deaths), 0) as deaths from jobs')) as [
      { deaths: number },
    ];
    return deaths;
  }

  /** Each job is done, no failure was counted against it, and no other job did the same. */
  async #assertDoneOnce(): Promise<void> {
    const unfinished = await this.#query("select * from jobs where state <> 'done' or failures > 0");
    assert.deepEqual(unfinished, []);
    const twice = await this.#query(
      `select export_id, kind, value, first_chunk from jobs left join json_each(jobs.presets)
       group by export_id, kind, value, first_chunk having count(*) > 1`,
    );
    assert.deepEqual(twice, []);
  }

  /** Deletes everything; neither rows nor files nor processes may be left, rendered chunks excepted. */
  async #empty({ faults }: LoadLedger): Promise<void> {
    const service = this.#service;
    for (const { id } of (await this.#query('select id from exports')) as { id: string }[]) {
      const { status } = await fetch(`${service.base}/video/exports/${id}`, { method: 'DELETE' });
      if (status !== 204) faults.push(`deleting ${id} was answered with ${status}`);
    }
    await noted(faults, 'left', () => assertNoRows(this.#query, 'jobs'));
    const files = () => [
      ...service.files('blobs').filter((file) => !file.startsWith('parts/')),
      ...['work', 'unfinished'].flatMap((part) => service.files(part)),
    ];
    const atRest = () => files().length === 0 && descendantsOf(service.pid).length === 0;
    await reached('rest', atRest, REST_SECONDS).catch(() => {
      faults.push(`left: ${[...files(), ...descendantsOf(service.pid).map((pid) => `process ${pid}`)].join(', ')}`);
    });
  }

  readonly #query: Query = async (sql) => {
    using database = new DatabaseSync(join(this.#service.folder, 'tiercut.db'), { readOnly: true });
    return database.prepare(sql).all() as object[];
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
  }
}

/** A failed assertion becomes a fault, and the other checks still run. */
async function noted(faults: string[], kind: string, look: () => Promise<void>): Promise<void> {
  await look().catch((error: unknown) => faults.push(`${kind}: ${error}`));
}
