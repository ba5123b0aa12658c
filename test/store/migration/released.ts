import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import type { JobQueue } from '../../../src/store/job-queue.ts';
import { type MigrationStep, STEPS } from '../../../src/store/migration/steps.ts';
import { fastFolder } from '../temp-folder.ts';

const FOLDER = join(import.meta.dirname, '..', 'released');

/** The schemas that were released, each with a dump. */
export const RELEASED: readonly number[] = readdirSync(FOLDER)
  .flatMap((name) => /^(\d+)\.sqlite\.sql$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

export type Row = Readonly<Record<string, unknown>>;
/** All rows of all tables, by table, in a fixed order. */
export type Records = ReadonlyMap<string, readonly Row[]>;

/** The SQL of a released database. */
export function dumpOf(version: number, database: 'sqlite' | 'postgres'): string {
  return readFileSync(join(FOLDER, `${version}.${database}.sql`), 'utf8');
}

/** A released database as a file. */
export function loadSqlite(version: number, file: string): void {
  using database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal');
  database.exec(dumpOf(version, 'sqlite'));
}

/** A data folder with a released database. */
export function releasedFolder(version: number, t: TestContext): { readonly folder: string; readonly file: string } {
  const folder = fastFolder(t);
  const file = join(folder, 'tiercut.db');
  loadSqlite(version, file);
  return { folder, file };
}

export function sqliteRecords(file: string): Records {
  using database = new DatabaseSync(file, { readOnly: true });
  const tables = database.prepare(`select name from sqlite_schema where type = 'table'`).all() as { name: string }[];
  return new Map(
    tables.map(({ name }) => [name, inOrder((database.prepare(`select * from ${name}`).all() as Row[]).map(plain))]),
  );
}

/** The tables as SQLite describes them: independent of the order of constraints in their text. */
export function sqliteTables(file: string): unknown {
  using database = new DatabaseSync(file, { readOnly: true });
  const ask = (sql: string) => (database.prepare(sql).all() as Row[]).map(plain);
  const described = ask(`select type, name, tbl_name, sql from sqlite_schema order by type, name`);
  return described.map(({ type, name, tbl_name: table, sql }) => ({
    ...{ type, name, table },
    text: type === 'table' ? partsOf(String(sql)) : String(sql).replace(/\s+/g, ' '),
    columns: type === 'table' ? ask(`pragma table_xinfo(${name})`) : [],
    references: type === 'table' ? ask(`pragma foreign_key_list(${name})`) : [],
    keys: type === 'table' ? ask(`pragma index_list(${name})`).map(({ seq: _, ...index }) => index) : [],
  }));
}

/** The columns and constraints of a table in any order, and how it is stored. */
function partsOf(sql: string): string[] {
  const text = sql
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/^create table "?(\w+)"? ?\(/i, '$1 , ');
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else if (depth < 0) parts.push(letter);
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).sort();
}

/** What steps do to records that were there before, by table; other tables keep their records. */
const CHANGED: Readonly<Record<string, (row: Row) => Row>> = {
  exports: withoutWebhook,
  fetches: withoutClaim,
  captions: withoutClaim,
  destinations: withoutClaim,
};
/** Tables that hold no records of users, or that the job engine changes by itself. `waitingWork` has the jobs. */
const OWN = /^(schema_steps|schema_version|sqlite_sequence|jobs|pgboss\..*)$/;

function withoutWebhook(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('webhook_')));
}

/** The events that an export of schema 19 had, with the queue of its `callback_url`. */
export function recordedEvents(records: Records): string[] {
  const lists = (records.get('exports') ?? []).map((row) =>
    (JSON.parse(String(row.webhook_events)) as { type: string; preset?: string }[]).map(({ type, preset }, place) => {
      const id = preset == null ? `${row.id}.${type.replace('export.', '')}` : `${row.id}.${type}.${preset}`;
      const due = Number(row.webhook_due_at_ms) > 0 ? row.webhook_due_at_ms : null;
      return [id, row.webhook_state, ...(place === 0 ? [row.webhook_attempts, due] : [0, null])].join(' ');
    }),
  );
  return lists.flat().sort();
}

/** The same in the tables of events. */
export function movedEvents(records: Records): string[] {
  const ids = new Set(records.get('events')!.map(({ id }) => id));
  const rows = records.get('event_receivers')!.filter(({ event_id, receiver }) => receiver === '' && ids.has(event_id));
  return rows
    .map(({ event_id, state, attempts, due_at_ms }) => [event_id, state, attempts, due_at_ms].join(' '))
    .sort();
}

function withoutClaim({ tries: _, holder: __, held_until_ms: ___, ...row }: Row): Row {
  return row;
}

/** The work that waits in a database of schema 19, or that a node had: its ids in the one queue, with their failures. */
export function waitingWork(records: Records): string[] {
  const of = (table: string, isWaiting: (row: Row) => boolean) => (records.get(table) ?? []).filter(isWaiting);
  const engine = new Map((records.get('pgboss.job') ?? []).map(({ id, state }) => [id, String(state)]));
  const stateOf = ({ state, engine_id }: Row) => String(state ?? engine.get(engine_id));
  const renders = of('jobs', (row) => /^(waiting|running|created|retry|active)$/.test(stateOf(row)));
  const fetches = of('fetches', () => true);
  const captions = of('captions', ({ state }) => state === 'queued');
  const sends = of(
    'destinations',
    ({ state, held_until_ms }) => held_until_ms !== null && /^(waiting|sending)$/.test(`${state}`),
  );
  const webhooks = of('exports', ({ webhook_state }) => webhook_state === 'pending');
  return [
    ...renders.map(({ id, failures, failed }) => `${id} ${failures ?? failed}`),
    ...fetches.map(({ export_id }) => `fetch/${export_id} 0`),
    ...captions.map(({ id }) => `captions/${id} 0`),
    ...sends.map(
      ({ export_id, preset, attempts, state }) =>
        `destination/${export_id}/${preset} ${Number(attempts) - (state === 'sending' ? 1 : 0)}`,
    ),
    ...webhooks.map(({ id, webhook_attempts }) => `webhook/${id} ${webhook_attempts}`),
  ].sort();
}

/** All work of a queue, claimed. */
export async function claimAll(jobs: JobQueue): Promise<string[]> {
  const claimed: string[] = [];
  for (const lane of ['render', 'fetch', 'captions', 'destination', 'webhook'] as const) {
    const wanted = { lane, has: ['tiny'] };
    for (let attempt = await jobs.claim(wanted); attempt !== null; attempt = await jobs.claim(wanted))
      claimed.push(`${attempt.job.id} ${attempt.failures}`);
  }
  return claimed.sort();
}

/** What the records of a released database must be after all steps. */
export function migrated(records: Records): Records {
  return new Map(
    [...records]
      .filter(([table]) => !OWN.test(table))
      .map(([table, rows]) => [table, inOrder(rows.map(CHANGED[table] ?? ((row) => row)))]),
  );
}

/** The records that a database had already, with the columns that they had. */
export function restrictedTo(before: Records, after: Records): Records {
  return new Map(
    [...before.keys()].map((table) => {
      const columns = Object.keys(before.get(table)![0] ?? {});
      const rows = after.get(table) ?? [];
      return [table, inOrder(rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))))];
    }),
  );
}

export function inOrder(rows: readonly Row[]): Row[] {
  const text = (row: Row) => JSON.stringify(row);
  return rows.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

function plain(row: Row): Row {
  return { ...row };
}

const LAST = STEPS.at(-1)!.number;

/** Steps of every kind, as later releases may have them. They keep what the real ones leave. */
export const LATER: Readonly<Record<MigrationStep['kind'], MigrationStep>> = {
  adds: {
    number: LAST + 1,
    name: 'notes of exports',
    kind: 'adds',
    statements: ({ table, wide }) => [
      table(
        'export_notes',
        `export_id text primary key references exports (id) on delete cascade, at_ms ${wide} not null`,
      ),
      'insert into export_notes (export_id, at_ms) select id, created_at_ms from exports',
      'alter table projects add column colour text',
      'create index projects_colour on projects (tenant, colour)',
    ],
  },
  replaces: {
    number: LAST + 2,
    name: 'sizes of projects',
    kind: 'replaces',
    statements: ({ database, wide, table }) =>
      database === 'postgres'
        ? [`alter table projects add column bytes ${wide} not null default 0 check (bytes >= 0)`]
        : [
            table(
              'projects_next',
              `tenant text not null, id text not null, revision integer not null, created_at_ms integer not null,
              saved_at_ms integer not null, thumbnail text, thumbnail_bytes integer not null default 0, colour text,
              bytes integer not null default 0 check (bytes >= 0), primary key (tenant, id)`,
            ),
            'insert into projects_next select tenant, id, revision, created_at_ms, saved_at_ms, thumbnail, thumbnail_bytes, colour, 0 from projects',
            'drop table projects',
            'alter table projects_next rename to projects',
            'create index projects_list on projects (tenant, saved_at_ms, id)',
            'create index projects_thumbnail on projects (thumbnail) where thumbnail is not null',
            'create index projects_colour on projects (tenant, colour)',
          ],
  },
  removes: {
    number: LAST + 3,
    name: 'no notes of exports',
    kind: 'removes',
    statements: () => ['drop table export_notes'],
  },
};
