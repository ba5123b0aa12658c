import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExportError } from '../../errors.ts';
import { placeFile, syncFile } from '../disk/durable-file.ts';
import {
  HAS_STEP,
  newestState,
  oldestAfter,
  planMigration,
  requireKnownState,
  type Schema,
  type SchemaState,
} from '../migration/schema-state.ts';
import type { MigrationStep } from '../migration/steps.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { SQLITE_DIALECT } from './sqlite-schema.ts';

/** What was done to the tables of a data folder. */
export interface SqliteMigration {
  readonly applied: readonly MigrationStep[];
  /** The copy of the database as it was before; null if nothing had to be changed. */
  readonly copy: string | null;
}

const NOTHING: SqliteMigration = { applied: [], copy: null };

/**
 * Creates the tables of a new database, or makes the steps that an older one lacks: all of them or none. Before the
 * first step it copies the database. The copy stays until the next migration has succeeded. (H62)
 *
 * @param file the database, which this process has locked.
 * @throws `store.schema_mismatch`; `store.disk_full`, with the database unchanged.
 */
export async function migrateSqlite(
  connection: SqliteConnection,
  file: string,
  schema: Schema,
): Promise<SqliteMigration> {
  const state = stateOf(connection);
  if (state === null) {
    atomically(connection, () => createTables(connection, schema));
    return NOTHING;
  }
  requireKnownState(state, schema, `The data folder ${dirname(file)}`, 'name an empty folder in TIERCUT_DATA_DIR');
  const { first, together, last } = planMigration(state, schema);
  // Only this process uses the folder, so nothing has to wait.
  const steps = [...first, ...together, ...last].toSorted((a, b) => a.number - b.number);
  if (steps.length === 0) return NOTHING;
  const copy = await copyDatabase(connection, file, `${file}.before-${steps[0]!.number}`);
  // A table is changed by a copy under another name, and dropping the first one must not delete the rows that refer to it.
  connection.exec('pragma foreign_keys = off');
  try {
    atomically(connection, () => takeSteps(connection, state, steps));
  } finally {
    connection.exec('pragma foreign_keys = on');
  }
  await removeCopies(file, copy);
  return { applied: steps, copy };
}

/** null if there are no tables. */
function stateOf(connection: SqliteConnection): SchemaState | null {
  const [{ user_version: oldest }] = connection.run<{ user_version: number }>('pragma user_version', []) as [
    { user_version: number },
  ];
  if (oldest === 0) return null;
  const known = connection.run(`select 1 from sqlite_schema where name = 'schema_steps'`, []).length > 0;
  const rows = known ? connection.run<{ number: number }>('select number from schema_steps', []) : [];
  return { oldest, applied: new Set(rows.map(({ number }) => number)) };
}

function createTables(connection: SqliteConnection, schema: Schema): void {
  connection.exec(schema.sql);
  for (const step of schema.steps ?? []) recordStep(connection, step);
  connection.exec(`pragma user_version = ${newestState(schema).oldest}`);
}

function takeSteps(connection: SqliteConnection, { oldest }: SchemaState, steps: readonly MigrationStep[]): void {
  for (const step of steps) {
    for (const statement of step.statements(SQLITE_DIALECT)) connection.exec(statement);
    recordStep(connection, step);
  }
  const broken = connection.run<{ table: string }>('pragma foreign_key_check', []);
  if (broken.length > 0) throw new Error(`rows of "${broken[0]!.table}" would refer to rows that do not exist`);
  connection.exec(`pragma user_version = ${oldestAfter(oldest, steps)}`);
}

function recordStep(connection: SqliteConnection, { number, name }: MigrationStep): void {
  connection.run(`${HAS_STEP} ($1, $2)`, [number, name]);
}

function atomically(connection: SqliteConnection, work: () => void): void {
  connection.exec('begin immediate');
  try {
    work();
    connection.exec('commit');
  } catch (cause) {
    if (connection.isTransaction) connection.exec('rollback');
    throw cause;
  }
}

/** With everything that is still in the log beside it. */
async function copyDatabase(connection: SqliteConnection, file: string, copy: string): Promise<string> {
  const unfinished = `${copy}.part`;
  await rm(unfinished, { force: true });
  try {
    connection.run('vacuum into $1', [unfinished]);
    await syncFile(unfinished);
    await placeFile(unfinished, copy);
    return copy;
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (!(cause instanceof ExportError) || cause.code !== 'store.disk_full') throw cause;
    const { size } = await stat(file);
    const message = `The disk of ${dirname(file)} has no space for a copy of the database, which is made before its tables are changed. The database is unchanged. Free ${Math.ceil(size / 2 ** 20)} MB and start again.`;
    throw new ExportError('unavailable', 'store.disk_full', message, { cause });
  }
}

async function removeCopies(file: string, kept: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${basename(file)}.before-`) && join(folder, name) !== kept) await rm(join(folder, name));
  }
}
