import { jobQueueSuite } from '../job-queue-suite.ts';
import { PostgresFixture } from './postgres-fixture.ts';

const fixture = await PostgresFixture.create();

jobQueueSuite('postgres', (t) => fixture.openQueue(t));
