import { ExportError } from '../../errors.ts';
import type { MigrationStep } from './steps.ts';

/** The tables of a new database, and the steps that make them from those of earlier releases. */
export interface Schema {
  readonly version: number;
  readonly sql: string;
  /** In the order of their numbers; none for a schema without history. */
  readonly steps?: readonly MigrationStep[];
}

/** What a database says about its tables. */
export interface SchemaState {
  /** Only releases with this schema or a newer one can use it. */
  readonly oldest: number;
  /** The numbers of the steps that it has. */
  readonly applied: ReadonlySet<number>;
}

/** The names of the tables that hold the state. SQLite has the oldest version in its header instead. */
export const HAS_STEP = 'insert into schema_steps (number, name) values';

/** The state of a new database. */
export function newestState({ version, steps = [] }: Schema): SchemaState {
  const first = steps[0] === undefined ? version : steps[0].number - 1;
  return { oldest: oldestAfter(first, steps), applied: new Set(steps.map(({ number }) => number)) };
}

/** The oldest schema that works after these steps. A release that ignores what was added works as before. */
export function oldestAfter(oldest: number, steps: readonly MigrationStep[]): number {
  return Math.max(oldest, ...steps.filter(({ kind }) => kind !== 'adds').map(({ number }) => number));
}

/** The order in which steps are made. */
interface MigrationPlan {
  /** Older releases work after each of them. */
  readonly first: readonly MigrationStep[];
  /** All of them or none, without older nodes. */
  readonly together: readonly MigrationStep[];
  /** Each as soon as there is no older node; this release does not need them. */
  readonly last: readonly MigrationStep[];
}

/** The steps that a database lacks. */
export function planMigration({ applied }: SchemaState, { steps = [] }: Schema): MigrationPlan {
  const lacking = steps.filter(({ number }) => !applied.has(number));
  const needed = lacking.filter(({ kind }) => kind !== 'removes');
  const barrier = needed.findIndex(({ kind }) => kind === 'replaces');
  const end = barrier === -1 ? needed.length : barrier;
  return {
    first: needed.slice(0, end),
    together: needed.slice(end),
    last: lacking.filter(({ kind }) => kind === 'removes'),
  };
}

/**
 * @param where the folder or the database, as the subject of a sentence.
 * @param remedy what an operator can do instead of starting another release.
 * @throws `store.schema_mismatch` if no step leads from this state to the schema.
 */
export function requireKnownState({ oldest }: SchemaState, schema: Schema, where: string, remedy: string): void {
  const { version, steps = [] } = schema;
  const first = steps[0] === undefined ? version : steps[0].number - 1;
  if (oldest > version) {
    const message = `${where} has schema ${oldest}, newer than this release, which has schema ${version}. Start the newer release, or ${remedy}.`;
    throw new ExportError('unavailable', 'store.schema_mismatch', message);
  }
  if (oldest < first) {
    const message = `${where} has schema ${oldest}. This release can migrate schema ${first} and newer ones. Start the release that made it, or ${remedy}.`;
    throw new ExportError('unavailable', 'store.schema_mismatch', message);
  }
}

/** The steps that a node needs and the database lacks, in words; null if it has all of them. */
export function lackingSteps(state: SchemaState, schema: Schema): string | null {
  const { first, together } = planMigration(state, schema);
  const lacking = [...first, ...together];
  return lacking.length === 0 ? null : lacking.map(stepName).join(', ');
}

/** A step in a message. */
export function stepName({ number, name }: Pick<MigrationStep, 'number' | 'name'>): string {
  return `${number} (${name})`;
}
