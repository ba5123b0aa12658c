import { exportRecordsSuite } from '../export-records-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();

exportRecordsSuite('postgres', (t) => fixture.open(t));
