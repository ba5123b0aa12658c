import { readingSuite } from './reading-suite.ts';
import { ServiceFixture } from './service-fixture.ts';

readingSuite(() => ServiceFixture.start());
