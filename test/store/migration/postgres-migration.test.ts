import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newestState, type Schema } from '../../../src/store/migration/schema-state.ts';
import { SCHEMA_VERSION, STEPS } from '../../../src/store/migration/steps.ts';
import { JOB_ENGINE } from '../../../src/store/postgres/move-jobs.ts';
import { PostgresDatabase } from '../../../src/store/postgres/postgres-database.ts';
import { migratePostgres } from '../../../src/store/postgres/postgres-migration.ts';
import { POSTGRES_SCHEMA } from '../../../src/store/postgres/postgres-schema.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { testDatabase } from '../../postgres/test-database.ts';
import {
  claimAll,
  dumpOf,
  inOrder,
  LATER,
  migrated,
  movedEvents,
  RELEASED,
  type Records,
  type Row,
  recordedEvents,
  restrictedTo,
  waitingWork,
} from './released.ts';

const noEngine = { create: async () => {}, moves: {} };

function schemaWith(...steps: (typeof LATER)['adds'][]): Schema {
  const all = [...STEPS, ...steps];
  return { ...POSTGRES_SCHEMA, version: all.at(-1)!.number, steps: all };
}

const LATER_SCHEMA = schemaWith(LATER.adds, LATER.replaces, LATER.removes);

async function ask(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A released database, loaded once and copied for each test. */
const templates = new Map<number, string>();
async function released(version: number): Promise<string> {
  let template = templates.get(version);
  if (template === undefined) {
    template = await testDatabase();
    await ask(template, dumpOf(version, 'postgres'));
    templates.set(version, template);
  }
  return copyOf(template);
}

async function copyOf(template: string): Promise<string> {
  const url = await testDatabase();
  const [from, to] = [template, url].map((address) => new URL(address).pathname.slice(1));
  const server = template.replace(`/${from}?`, '/postgres?');
  await ask(server, `drop database ${to}`);
  await ask(server, `create database ${to} template ${from}`);
  return url;
}

/** A database of this release, with the records of an older one. */
async function current(): Promise<string> {
  const url = await released(19);
  await migratePostgres(url, JOB_ENGINE);
  return url;
}

async function recordsOf(url: string): Promise<Records> {
  const tables = await ask(
    url,
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'pgboss') order by 1`,
  );
  const rowsOf = ({ name }: Row) => `select '${name}' as name, to_jsonb(t) as row from ${name} t`;
  const rows = await ask(url, tables.map(rowsOf).join(' union all '));
  const all = Map.groupBy(rows, ({ name }) => name);
  return new Map(
    tables.map(({ name }) => [
      String(name).replace(/^public\./, ''),
      inOrder((all.get(name) ?? []).map(({ row }) => row as Row)),
    ]),
  );
}

/** The tables as the server describes them. */
async function tablesOf(url: string): Promise<unknown> {
  const ours = `join pg_class c on c.oid = %s join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'`;
  const of = (oid: string) => ours.replace('%s', oid);
  return Promise.all([
    ask(
      url,
      `select c.relname, c.relkind, c.relpersistence, c.reloptions from pg_class c
       join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public' where c.relkind in ('r', 'S') order by 1`,
    ),
    ask(
      url,
      `select c.relname, row_number() over (partition by c.relname order by a.attnum) as place, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull, a.attidentity,
         pg_get_expr(d.adbin, d.adrelid) as preset
       from pg_attribute a ${of('a.attrelid')} left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attnum > 0 and not a.attisdropped and c.relkind = 'r' order by 1, 2`,
    ),
    ask(
      url,
      `select c.relname, k.conname, pg_get_constraintdef(k.oid) as means from pg_constraint k ${of('k.conrelid')} order by 1, 2`,
    ),
    ask(url, `select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`),
  ]);
}

for (const version of RELEASED) {
  test(`[H62] postgres: a database of schema ${version} has every record after the migration, and the tables of a new one`, async () => {
    const url = await released(version);
    const before = await recordsOf(url);
    for (const [table, rows] of before)
      assert.ok(rows.length > 0 || table.startsWith('pgboss.'), `the dump has no records in ${table}`);
    await migratePostgres(url, JOB_ENGINE);
    const after = await recordsOf(url);
    assert.deepEqual(restrictedTo(migrated(before), after), migrated(before));
    assert.ok(recordedEvents(before).length > 0);
    assert.deepEqual(movedEvents(after), recordedEvents(before), 'what waits for receivers');
    const fresh = await testDatabase();
    await migratePostgres(fresh, JOB_ENGINE);
    assert.deepEqual(await tablesOf(url), await tablesOf(fresh));
    for (const table of ['schema_version', 'schema_steps'])
      assert.deepEqual(after.get(table), (await recordsOf(fresh)).get(table));
    const store = await openPostgresStore(url, { onCancelled: () => {} });
    assert.deepEqual(await claimAll(store.jobs), waitingWork(before), 'all that waited or was held waits');
    await store.close();
  });
}

test('[H62] postgres: steps of every kind keep all records', async () => {
  const url = await released(19);
  const before = await recordsOf(url);
  const { applied, waiting } = await migratePostgres(url, noEngine, LATER_SCHEMA);
  assert.deepEqual([applied.length, waiting.length], [LATER_SCHEMA.steps!.length, 0]);
  assert.deepEqual(restrictedTo(migrated(before), await recordsOf(url)), migrated(before));
  await (await PostgresDatabase.open(url, {}, LATER_SCHEMA)).close();
});

/** Each of more than a hundred statements takes a second. */
const LOST_EVERY = Number(process.env.LOST_EVERY ?? 9);
/** What the job engine has beside jobs: its queues, and when it did what. */
const OF_THE_ENGINE = /^pgboss\.(?!job$)/;

test('[H62] postgres: a connection that is lost at any statement leaves a database that the old program opens, and a second migration succeeds', async (t) => {
  const records = async (url: string) =>
    new Map([...(await recordsOf(url))].filter(([table]) => !OF_THE_ENGINE.test(table)));
  // Only what the steps do is interrupted: the tables of the engine are there.
  const engine = { ...noEngine, moves: JOB_ENGINE.moves };
  const prepared = await released(19);
  await JOB_ENGINE.create(prepared);
  const before = await records(prepared);
  // As an operator sees them: the old program needs the tables and columns that it had, and its version.
  const real = pg.Client.prototype.query;
  t.after(() => {
    pg.Client.prototype.query = real;
  });
  const schema = schemaWith(LATER.adds, LATER.replaces);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const timersBefore = timers();
  let [lost, isOver] = [0, false];
  for (let last = 3; !isOver; last += LOST_EVERY) {
    const url = await copyOf(prepared);
    let statement = 0;
    // biome-ignore lint/suspicious/noExplicitAny: the driver's method has many forms
    pg.Client.prototype.query = function (this: any, ...given: any[]): any {
      statement += 1;
      if (statement === last) this.connection.stream.destroy();
      return (real as (...given: unknown[]) => unknown).apply(this, given);
    } as typeof real;
    // The engine does without some of its statements.
    const error = await migratePostgres(url, engine, schema).then(
      () => null,
      (cause: { code?: string }) => cause,
    );
    pg.Client.prototype.query = real;
    isOver = statement < last;
    if (error !== null) {
      assert.equal(error.code, 'store.unreachable', `statement ${last}: ${error}`);
      lost += 1;
    }
    const left = await records(url);
    const made = (left.get('schema_steps') ?? []).map(({ number }) => number as number);
    if (!made.includes(LATER.replaces.number)) {
      assert.deepEqual(left.get('schema_version'), [{ version: 19 }], `statement ${last}`);
      assert.deepEqual(restrictedTo(before, left), before, `statement ${last}`);
    }
    await migratePostgres(url, engine, schema);
    assert.deepEqual(restrictedTo(migrated(before), await records(url)), migrated(before), `statement ${last}`);
    assert.ok(timers() <= timersBefore, `statement ${last}: a timer is left, so the command does not end`);
  }
  t.diagnostic(`lost at ${lost} statements`);
  assert.ok(lost > 60 / LOST_EVERY, `${lost}`);
});

test('[H62] postgres: nodes of the older release work through steps that add, while they are made', async () => {
  const url = await current();
  // What 1.0.0-rc.1 does: its own name, no check while it runs.
  const node = new pg.Client({ connectionString: url, application_name: 'tiercut listen' });
  await node.connect();
  let [writes, over] = [0, false];
  const writing = (async () => {
    for (; !over; writes += 1) {
      await node.query({
        name: 'save',
        text: `insert into projects (tenant, id, revision, created_at_ms, saved_at_ms) values ('old', $1, 1, 2, 3)`,
        values: [`${writes}`],
      });
      await node.query({ name: 'list', text: `select id, revision from projects where tenant = 'old' limit 5` });
    }
  })();
  const { applied } = await migratePostgres(url, noEngine, schemaWith(LATER.adds));
  assert.ok(applied.some(({ number }) => number === LATER.adds.number));
  const during = writes;
  while (writes < during + 20) await sleep(1);
  over = true;
  await writing;
  await node.end();
  const [row] = await ask(url, `select count(*)::integer as n from projects where tenant = 'old'`);
  assert.equal(row!.n, writes);
  // Started again, it finds a version that it can use.
  const { oldest } = newestState(POSTGRES_SCHEMA);
  assert.deepEqual(await ask(url, 'select version from schema_version'), [{ version: oldest }]);
});

test('[H62] postgres: a step that removes waits for older nodes, of this release and of 1.0.0-rc.1, and nodes of the release do not', async () => {
  const url = await current();
  const before = { ...LATER.removes, number: LATER.replaces.number };
  const schema = schemaWith(LATER.adds, before);
  for (const name of ['tiercut listen', 'tiercut', `tiercut/${LATER.adds.number} listen`]) {
    const node = new pg.Client({ connectionString: url, application_name: name });
    await node.connect();
    const { waiting } = await migratePostgres(url, noEngine, schema);
    assert.deepEqual(waiting, [before], name);
    await node.end();
    // Nodes of the release work without it.
    await (await PostgresDatabase.open(url, {}, schema)).close();
  }
  const same = await PostgresDatabase.open(url, {}, schema);
  const { applied } = await until(
    () => migratePostgres(url, noEngine, schema),
    ({ waiting }) => waiting.length === 0,
  );
  assert.deepEqual(applied, [before]);
  await same.query('select 1');
  await same.close();
});

test('[H62] postgres: a step that replaces is refused while older nodes run, and new nodes are refused before it', async () => {
  const url = await current();
  const node = new pg.Client({ connectionString: url, application_name: 'tiercut listen' });
  await node.connect();
  const schema = schemaWith(LATER.adds, LATER.replaces);
  await assert.rejects(migratePostgres(url, noEngine, schema), {
    code: 'store.older_nodes',
    message: `Step ${LATER.replaces.number} (sizes of projects) cannot be made while a node of an older release is running, because older releases do not work with it. Stop the older nodes, run \`tiercut migrate\` again, then start those of this release.`,
  });
  await assert.rejects(PostgresDatabase.open(url, {}, schema), {
    code: 'store.schema_mismatch',
    message: new RegExp(
      `is of an older release\\. It lacks step ${LATER.replaces.number} \\(sizes of projects\\)\\. Run`,
    ),
  });
  await node.end();
  await until(
    () => migratePostgres(url, noEngine, schema).catch(() => null),
    (done) => done !== null,
  );
  await (await PostgresDatabase.open(url, {}, schema)).close();
});

test('[H62] postgres: an older node that was away while a step removed something is refused when it connects again', async () => {
  const url = await released(19);
  const older = schemaWith(LATER.adds);
  await migratePostgres(url, noEngine, older);
  await using node = new AsyncDisposableStack();
  const database = await PostgresDatabase.open(url, {}, older);
  node.defer(() => database.close());
  await database.query('select 1');
  // The network between them is cut.
  await ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'tiercut%'`,
  );
  const removes = { ...LATER.removes, number: LATER.replaces.number };
  await until(
    () => migratePostgres(url, noEngine, schemaWith(LATER.adds, removes)),
    ({ waiting }) => waiting.length === 0,
  );
  const refusal = { code: 'store.schema_mismatch', message: /newer than this release.*Start the newer release/ };
  await assert.rejects(
    until(
      () => database.query('select 1'),
      () => true,
    ),
    refusal,
  );
  await assert.rejects(database.committed.query('select 1'), refusal);
  await assert.rejects(PostgresDatabase.open(url, {}, older), refusal);
});

test('[H62] postgres: a database of a newer release is refused, unless that one has only added something', async () => {
  const url = await released(19);
  await migratePostgres(url, noEngine, schemaWith(LATER.adds));
  await (await PostgresDatabase.open(url)).close();
  await migratePostgres(url, noEngine);
  await until(
    () => migratePostgres(url, noEngine, LATER_SCHEMA).catch(() => null),
    (done) => done?.waiting.length === 0,
  );
  const message = `The database "${new URL(url).pathname.slice(1)}" has schema ${LATER_SCHEMA.version}, newer than this release, which has schema ${SCHEMA_VERSION}. Start the newer release, or name an empty database in TIERCUT_DATABASE_URL and run \`tiercut migrate\`.`;
  await assert.rejects(PostgresDatabase.open(url), { code: 'store.schema_mismatch', message });
  await assert.rejects(migratePostgres(url, noEngine), { code: 'store.schema_mismatch', message });
});

test('[H62] postgres: processes that migrate at once make every step once', async () => {
  const url = await released(19);
  const all = await Promise.all([1, 2, 3].map(() => migratePostgres(url, JOB_ENGINE, LATER_SCHEMA)));
  const made = all.flatMap(({ applied }) => applied.map(({ number }) => number));
  assert.deepEqual(
    made.toSorted(),
    LATER_SCHEMA.steps!.map(({ number }) => number),
  );
});

/** The server needs a moment to notice that a connection has ended. */
async function until<T>(work: () => Promise<T>, isDone: (result: T) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const result = await work();
    if (isDone(result) || tries === 1000) return result;
    await sleep(Math.min(tries, 50));
  }
}
