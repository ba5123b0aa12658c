import { migrateDatabase } from '../../compose/open-store.ts';
import { readConfig } from '../../config/config.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';

/** `tiercut migrate`: brings the tables of the database to this release. */
export async function migrateCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  readArguments('migrate', args);
  const { applied, waiting, copy } = await migrateDatabase(readConfig());
  for (const step of applied) terminal.out(`Made step ${step}.`);
  if (copy !== null) terminal.out(`The database as it was before is ${copy}. It stays until the next migration.`);
  for (const step of waiting)
    terminal.out(
      `Step ${step} waits until no node of an older release is running. Run \`tiercut migrate\` again then.`,
    );
  terminal.out('The database has the tables that this release needs.');
  return 0;
}
