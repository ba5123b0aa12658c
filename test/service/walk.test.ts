import { ServiceFixture } from './service-fixture.ts';
import { walkSuite } from './walk-suite.ts';

walkSuite(() => ServiceFixture.start());
