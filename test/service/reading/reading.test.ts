import { ServiceFixture } from '../service-fixture.ts';
import { readingSuite } from './reading-suite.ts';

readingSuite(() => ServiceFixture.start());
