import { concurrentRecordsSuite } from '../concurrent-records-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();

concurrentRecordsSuite('postgres', (t) => fixture.open(t));
