import { migrateDatabase } from '../compose/open-store.ts';
import { readConfig } from '../config/config.ts';
import { readArguments } from './command-line/read-arguments.ts';
import type { Terminal } from './terminal.ts';

/** `tiercut migrate`: creates the tables in PostgreSQL. */
export async function migrateCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  readArguments('migrate', args);
  const done = await migrateDatabase(readConfig());
  terminal.out(
    done
      ? 'The database has the tables of this release.'
      : 'TIERCUT_DATABASE_URL is not set: records are in SQLite, and the service creates its tables when it starts.',
  );
  return 0;
}
