import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bossEngine } from '../../../src/store/postgres/boss-engine.ts';
import { ENGINE_SCHEMA, QUEUE, queueTable, takeFrom } from '../../../src/store/postgres/boss-inside.ts';
import { sourceFiles } from '../../source-files.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const CHANGED =
  'pg-boss is not what src/store/postgres/boss-inside.ts was written for: read what has changed, bring that file up to date, raise SCHEMA_VERSION, then record it here';

const fixture = await PostgresFixture.create();

test('pg-boss: the version of its tables is the known one', async (t) => {
  const database = await fixture.open(t);
  const packaged = JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve('pg-boss')), 'utf8'));
  const [row] = await database.query<{ version: number }>(`select version from ${ENGINE_SCHEMA}.version`);
  assert.deepEqual([packaged.version, packaged.pgboss.schema, row!.version], ['12.35.0', 43, 43], CHANGED);
});

/** Those that boss-inside.ts uses. */
const USED_COLUMNS = {
  blocked: 'boolean not null',
  completed_on: 'timestamp with time zone',
  created_on: 'timestamp with time zone not null',
  group_id: 'text',
  heartbeat_on: 'timestamp with time zone',
  heartbeat_seconds: 'integer',
  id: 'uuid not null',
  name: 'text not null',
  priority: 'integer not null',
  retry_count: 'integer not null',
  start_after: 'timestamp with time zone not null',
  started_on: 'timestamp with time zone',
  state: 'pgboss.job_state not null',
};

/** The others: one that is new may matter to a claim, which sets what pg-boss's own fetch sets. */
const OTHER_COLUMNS = [
  ...['blocking', 'data', 'dead_letter', 'deletion_seconds', 'expire_seconds'],
  ...['group_tier', 'keep_until', 'output', 'pending_dependencies', 'policy', 'retry_backoff'],
  ...['retry_delay', 'retry_delay_max', 'retry_limit', 'singleton_key', 'singleton_on', 'source_created_on'],
  ...['source_id', 'source_name', 'source_output', 'source_retry_count', 'source_root_id'],
];

test('pg-boss: the table of jobs has exactly the known columns', async (t) => {
  const database = await fixture.open(t);
  const columns = await database.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) || (case when attnotnull then ' not null' else '' end) as type
     from pg_attribute where attrelid = '${ENGINE_SCHEMA}.job'::regclass and attnum > 0 and not attisdropped order by attname`,
  );
  const [used, others] = [columns.filter(isUsed), columns.filter((column) => !isUsed(column))];
  assert.deepEqual(Object.fromEntries(used.map(({ name, type }) => [name, type])), USED_COLUMNS, CHANGED);
  assert.deepEqual(
    others.map(({ name }) => name),
    OTHER_COLUMNS,
    CHANGED,
  );
});

function isUsed({ name }: { readonly name: string }): boolean {
  return name in USED_COLUMNS;
}

test('pg-boss: states are in the order by which we compare them', async (t) => {
  const database = await fixture.open(t);
  const states = await database.query<{ name: string }>(
    `select enumlabel as name from pg_enum where enumtypid = '${ENGINE_SCHEMA}.job_state'::regtype order by enumsortorder`,
  );
  const expected = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'];
  assert.deepEqual(
    states.map(({ name }) => name),
    expected,
    CHANGED,
  );
});

const WAITS = `((state < 'active'::${ENGINE_SCHEMA}.job_state) AND (NOT blocked))`;

/** `tiercut_turns` is ours. `(name, id)` serves all joins with our jobs. */
const INDEXES = [
  'UNIQUE btree (name, id)',
  `UNIQUE btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::${ENGINE_SCHEMA}.job_state) AND (singleton_on IS NOT NULL))`,
  `btree (group_id, priority DESC, created_on) WHERE ${WAITS}`,
  `btree (name, group_id) WHERE ((state = 'active'::${ENGINE_SCHEMA}.job_state) AND (group_id IS NOT NULL))`,
  `btree (name, id) WHERE (blocking AND (state = 'completed'::${ENGINE_SCHEMA}.job_state))`,
  `btree (name, priority DESC, created_on, start_after) WHERE ${WAITS}`,
  'btree (source_root_id) WHERE (source_root_id IS NOT NULL)',
];

test('pg-boss: our queue has its own partition, with its indexes and ours', async (t) => {
  const database = await fixture.open(t);
  const table = await queueTable(database.pool);
  const [layout] = await database.query(
    `select pg_get_partkeydef('${ENGINE_SCHEMA}.job'::regclass) as key, pg_get_expr(relpartbound, oid) as bound
     from pg_class where oid = '${table}'::regclass`,
  );
  assert.deepEqual(layout, { key: 'LIST (name)', bound: `FOR VALUES IN ('${QUEUE}')` }, CHANGED);
  const indexes = await database.query<{ definition: string }>(
    `select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = '${table}'::regclass`,
  );
  const reported = indexes.map(({ definition }) =>
    definition.replace(/^create( unique)? index \S+ on \S+ using /i, '$1 ').trim(),
  );
  assert.deepEqual(reported.toSorted(), INDEXES, CHANGED);
});

test('pg-boss: its clock is a function without arguments', async (t) => {
  const database = await fixture.open(t);
  const [clock] = await database.query(
    `select pg_get_function_result(oid) as gives, provolatile as volatility from pg_proc where oid = '${ENGINE_SCHEMA}.job_now()'::regprocedure`,
  );
  assert.deepEqual(clock, { gives: 'timestamp with time zone', volatility: 's' }, CHANGED);
});

test('pg-boss: our claim leaves a job in the same state as its own fetch, the first time and after a failure', async (t) => {
  const database = await fixture.open(t);
  const boss = bossEngine(database.pool, { migrate: false });
  await boss.start();
  t.after(() => boss.stop({ graceful: false }));
  const take = takeFrom(await queueTable(database.pool));
  const add = () => boss.insert(QUEUE, [{ group: { id: 'ann' }, heartbeatSeconds: 30 }], { returnId: true });
  const rowOf = async (id: string) => {
    const [row] = await database.query<Record<string, unknown>>(`select * from ${ENGINE_SCHEMA}.job where id = $1`, [
      id,
    ]);
    // Two jobs differ in their ids and times: of these it counts whether they are set.
    return Object.fromEntries(
      Object.entries(row!).map(([name, value]) => [name, name === 'id' || value instanceof Date ? 'set' : value]),
    );
  };
  const theirs = (await add())![0]!;
  await boss.fetch(QUEUE);
  const ours = (await add())![0]!;
  await database.query(take, ['']);
  for (const retryCount of [0, 1]) {
    const row = await rowOf(ours);
    assert.deepEqual(row, await rowOf(theirs), CHANGED);
    assert.deepEqual([row.state, row.retry_count], ['active', retryCount]);
    await boss.fail(QUEUE, { id: theirs, retryCount });
    await boss.fetch(QUEUE);
    await boss.fail(QUEUE, { id: ours, retryCount });
    await database.query(take, ['']);
  }
});

test('only boss-inside.ts names internals of pg-boss', () => {
  const names = new RegExp(`['"\`.\\s]${ENGINE_SCHEMA}\\b`);
  const files = sourceFiles().filter(({ text }) => names.test(text));
  assert.deepEqual(
    files.map(({ path }) => path),
    ['store/postgres/boss-inside.ts'],
  );
});
