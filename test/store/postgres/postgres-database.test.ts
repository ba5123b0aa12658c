import { databaseSuite } from '../database-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();

databaseSuite('postgres', (t) => fixture.open(t));
