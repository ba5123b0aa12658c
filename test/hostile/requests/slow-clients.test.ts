import { ServiceFixture } from '../../service/service-fixture.ts';
import { SLOW_CLIENTS_SETTINGS, slowClientsSuite } from './slow-clients-suite.ts';

slowClientsSuite(() => ServiceFixture.start(SLOW_CLIENTS_SETTINGS));
