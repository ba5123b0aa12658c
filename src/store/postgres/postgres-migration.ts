import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ExportError } from '../../errors.ts';
import type { Transaction } from '../database.ts';
import {
  HAS_STEP,
  lackingSteps,
  newestState,
  oldestAfter,
  planMigration,
  requireKnownState,
  type Schema,
  type SchemaState,
  stepName,
} from '../migration/schema-state.ts';
import type { MigrationStep } from '../migration/steps.ts';
import { isConflict, postgresError } from './postgres-error.ts';
import { connectionName, olderNodes, POSTGRES_DIALECT, POSTGRES_SCHEMA } from './postgres-schema.ts';

/** The lock of the migration, across processes. */
const MIGRATION_LOCK = 7_403_114_021;
/** A step waits this long for the tables that it changes; all later statements of nodes wait behind it meanwhile. */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_TRIES = 30;

type Ask = (sql: string) => Promise<object[]>;

/** The job engine, which has tables of its own. */
export interface JobEngine {
  /** Creates its tables, or brings them up to date. */
  readonly create: (url: string) => Promise<void>;
  /** What steps do beside their statements, by number, in the same transaction. */
  readonly moves: Readonly<Record<number, (url: string, client: pg.ClientBase) => Promise<void>>>;
}

/** What was done to the tables. */
export interface PostgresMigration {
  readonly applied: readonly MigrationStep[];
  /** Steps that this release does not need, and that wait until older nodes have stopped. */
  readonly waiting: readonly MigrationStep[];
}

/**
 * Creates the tables of a new database, or makes the steps that an older one lacks. Nodes of older releases may be
 * running: they keep working through the steps that add, and the others wait for their end. Run it before the first
 * node of a release starts, not in the nodes. Concurrent runs take turns. (H62)
 *
 * @throws `store.schema_mismatch`, `store.older_nodes`, `store.unreachable`
 */
export async function migratePostgres(
  url: string,
  engine: JobEngine,
  schema: Schema = POSTGRES_SCHEMA,
): Promise<PostgresMigration> {
  const client = new pg.Client({ connectionString: url, application_name: connectionName('migrate', schema.version) });
  client.on('error', () => {}); // the running statement gets the error as well
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ask: Ask = async (sql) => (await client.query(sql)).rows;
    const state = await stateOf(ask);
    if (state !== null) await requireKnown(ask, state, schema);
    await engine.create(url);
    if (state !== null) return await takeSteps({ url, client, moves: engine.moves }, state, schema);
    // Without parameters, several statements run as one transaction.
    await client.query(creation(schema));
    return { applied: [], waiting: [] };
  } catch (cause) {
    throw postgresError(cause);
  } finally {
    await client.end().catch(() => {});
  }
}

/** @throws `store.schema_mismatch` if a node of this schema cannot work with the tables. */
export async function requireSchema(database: Transaction, schema: Schema = POSTGRES_SCHEMA): Promise<void> {
  const ask: Ask = (sql) => database.query(sql);
  const state = await stateOf(ask);
  if (state === null) throw unmigrated(`${await nameOf(ask)} has no tables yet. Run \`tiercut migrate\` first.`);
  await requireKnown(ask, state, schema);
  const lacking = lackingSteps(state, schema);
  if (lacking === null) return;
  const which = lacking.includes(',') ? 'steps' : 'step';
  throw unmigrated(
    `${await nameOf(ask)} is of an older release. It lacks ${which} ${lacking}. Run \`tiercut migrate\` first.`,
  );
}

/**
 * Refuses a connection after a newer release has removed what this one uses. A step that removes looks for the
 * connections of older nodes while it has the table of the version locked, so none of them is missed: it was made before,
 * and the step waits for its end, or it is refused here.
 *
 * @throws `store.schema_mismatch`
 */
export async function requireAllowed(client: pg.ClientBase, schema: Schema): Promise<void> {
  // Without tables, `requireSchema` says what to do.
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('schema_version') is not null as known`);
  if (!rows[0]!.known) return;
  const ask: Ask = async (sql) => (await client.query(sql)).rows;
  const [{ version: oldest }] = (await ask('select version from schema_version')) as [{ version: number }];
  if (oldest > schema.version) await requireKnown(ask, { oldest, applied: new Set() }, schema);
}

function creation(schema: Schema): string {
  const { sql, steps = [] } = schema;
  return `begin; ${sql};
    create table schema_version (version integer not null);
    insert into schema_version (version) values (${newestState(schema).oldest});
    ${steps.map(recordStep).join(';')};
    commit`;
}

/** A database that is being migrated. */
interface Migrated extends Pick<JobEngine, 'moves'> {
  readonly url: string;
  readonly client: pg.Client;
}

async function takeSteps(to: Migrated, state: SchemaState, schema: Schema): Promise<PostgresMigration> {
  const { first, together, last } = planMigration(state, schema);
  const waiting: MigrationStep[] = [];
  for (const step of first) await take(to, [step]);
  if (together.length > 0) {
    const older = await take(to, together);
    if (older !== null) throw olderNodesRun(together, older);
  }
  for (const step of last) if ((await take(to, [step])) !== null) waiting.push(step);
  return { applied: [...first, ...together, ...last.filter((step) => !waiting.includes(step))], waiting };
}

/** Makes all steps or none. null if they are made; else how many older nodes they wait for. */
async function take(to: Migrated, steps: readonly MigrationStep[]): Promise<number | null> {
  const { client } = to;
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const older = await takeOnce(to, steps);
      await client.query(older === null ? 'commit' : 'rollback');
      return older;
    } catch (cause) {
      await client.query('rollback').catch(() => {});
      const waits = isConflict(cause) || (cause instanceof Error && 'code' in cause && cause.code === '55P03');
      if (!waits || tries >= LOCK_TRIES) throw cause;
      await sleep(200);
    }
  }
}

async function takeOnce({ url, client, moves }: Migrated, steps: readonly MigrationStep[]): Promise<number | null> {
  if (steps.some(({ kind }) => kind !== 'adds')) {
    // New connections wait for this lock in `requireAllowed`.
    await client.query('lock table schema_version in access exclusive mode');
    const older = await olderNodes(client, steps.at(-1)!.number);
    if (older > 0) return older;
  }
  for (const step of steps) {
    for (const statement of step.statements(POSTGRES_DIALECT)) await client.query(statement);
    await moves[step.number]?.(url, client);
    await client.query(recordStep(step));
  }
  const oldest = oldestAfter(0, steps);
  if (oldest > 0) await client.query(`update schema_version set version = greatest(version, ${oldest})`);
  return null;
}

function recordStep({ number, name }: MigrationStep): string {
  return `${HAS_STEP} (${number}, ${pg.escapeLiteral(name)})`;
}

/** null if there are no tables. */
async function stateOf(ask: Ask): Promise<SchemaState | null> {
  const [table] = (await ask(
    `select to_regclass('schema_version') is not null as known, to_regclass('schema_steps') is not null as steps`,
  )) as { known: boolean; steps: boolean }[];
  if (!table!.known) return null;
  const [row] = (await ask('select version from schema_version')) as { version: number }[];
  const steps = table!.steps ? ((await ask('select number from schema_steps')) as { number: number }[]) : [];
  return { oldest: row!.version, applied: new Set(steps.map(({ number }) => number)) };
}

async function requireKnown(ask: Ask, state: SchemaState, schema: Schema): Promise<void> {
  const remedy = 'name an empty database in TIERCUT_DATABASE_URL and run `tiercut migrate`';
  requireKnownState(state, schema, await nameOf(ask), remedy);
}

async function nameOf(ask: Ask): Promise<string> {
  const [row] = (await ask('select current_database() as name')) as { name: string }[];
  return `The database "${row!.name}"`;
}

function unmigrated(message: string): ExportError {
  return new ExportError('unavailable', 'store.schema_mismatch', message);
}

function olderNodesRun(steps: readonly MigrationStep[], nodes: number): ExportError {
  const [which, them] = steps.length === 1 ? ['Step', 'it'] : ['Steps', 'them'];
  const running = nodes === 1 ? 'a node of an older release is' : `${nodes} nodes of older releases are`;
  const message = `${which} ${steps.map(stepName).join(', ')} cannot be made while ${running} running, because older releases do not work with ${them}. Stop the older nodes, run \`tiercut migrate\` again, then start those of this release.`;
  return new ExportError('unavailable', 'store.older_nodes', message);
}
