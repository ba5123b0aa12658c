import { SqliteDatabase } from '../../../src/store/sqlite/sqlite-database.ts';

// Holds the folder named on the command line until it is killed.
await SqliteDatabase.open(process.argv[2]!);
process.stdout.write('held\n');
process.stdin.resume();
