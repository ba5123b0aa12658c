import { ServiceFixture } from '../../service/service-fixture.ts';
import { webhooksSuite } from './webhooks-suite.ts';

webhooksSuite((settings) => ServiceFixture.start(settings));
