import { batchRecordsSuite } from '../batch-records-suite.ts';
import { concurrentRecordsSuite } from '../concurrent-records-suite.ts';
import { exportRecordsSuite } from '../export-records-suite.ts';
import { keptRecordsSuite } from '../kept-records-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();

batchRecordsSuite('postgres', (t) => fixture.open(t));
exportRecordsSuite('postgres', (t) => fixture.open(t));
keptRecordsSuite('postgres', (t) => fixture.open(t));
concurrentRecordsSuite('postgres', (t) => fixture.open(t));
